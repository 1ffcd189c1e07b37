// trainwright-execute with other parts: hand-built graphs instead of plan files, and faults on demand. The "plan" is a
// word:
//   overlap   two ranks: 200 ms of compute beside an all-reduce of 8 MB on the data stream
//   slow      two ranks: 50 ms of compute and an all-reduce, for tests that interrupt
// TRAINWRIGHT_TEST_FAULT = all_reduce or receive: rank 1 gets wrong data from that operation.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "executor/app/cpu_parts.hpp"
#include "executor/app/program.hpp"
#include "tests/support/builders.hpp"

namespace {

using namespace trainwright;
using namespace trainwright::executor;

std::string fault() {
  const char* const word = std::getenv("TRAINWRIGHT_TEST_FAULT");
  return word != nullptr ? word : "";
}

model::Task compute(double seconds) {
  model::Task task;
  task.work = model::FixedWork{model::Seconds(seconds)};
  return task;
}

model::Task all_reduce(std::int64_t bytes) {
  model::Task task;
  task.stream = model::Stream::data;
  task.phase.pass = model::Pass::gradient_sync;
  task.work = model::CollectiveWork{model::CollectiveKind::all_reduce, model::GroupAxis::data, model::ByteCount(bytes),
                                    model::Precision::fp32};
  return task;
}

Job load_double(const std::filesystem::path& word) {
  const model::Layout layout{.dp = 2};
  model::Plan plan = test::small_plan(layout, 1);
  model::Program program;
  if (word == "overlap") {
    program.tasks = {compute(0.2), all_reduce(8'000'000)};
  } else if (word == "slow") {
    program.tasks = {compute(0.05), all_reduce(4000)};
    program.dependencies = {{model::TaskId(0), model::TaskId(1)}};
  } else {
    return load_job(word);
  }
  model::ExecutionGraph graph(model::Placement(layout, plan.cluster), {program},
                              {model::ProgramId(0), model::ProgramId(0)});
  return {std::move(plan), std::move(graph)};
}

// Passes everything on, and changes one element where the fault says so.
class FaultyCommunicator final : public Communicator {
 public:
  FaultyCommunicator(std::unique_ptr<Communicator> real, bool is_faulty)
      : real_(std::move(real)), fault_(is_faulty ? fault() : "") {}

  void all_reduce(Elements data) override {
    real_->all_reduce(data);
    if (fault_ == "all_reduce")
      data[data.size() / 2] += 1.0F;
  }
  void receive(Elements data, int peer, std::int32_t tag) override {
    real_->receive(data, peer, tag);
    if (fault_ == "receive")
      data[0] += 1.0F;
  }
  void all_gather(Elements data) override { real_->all_gather(data); }
  void reduce_scatter(Elements data) override { real_->reduce_scatter(data); }
  void all_to_all(Elements input, Elements output) override { real_->all_to_all(input, output); }
  void ring_shift(Elements input, Elements output) override { real_->ring_shift(input, output); }
  void broadcast(Elements data, int root) override { real_->broadcast(data, root); }
  void reduce(Elements data, int root) override { real_->reduce(data, root); }
  void barrier() override { real_->barrier(); }
  void send(Elements data, int peer, std::int32_t tag) override { real_->send(data, peer, tag); }

 private:
  std::unique_ptr<Communicator> real_;
  std::string fault_;
};

class FaultyBackend final : public Backend {
 public:
  explicit FaultyBackend(std::unique_ptr<Backend> real) : real_(std::move(real)) {}
  [[nodiscard]] Capabilities capabilities() const override { return real_->capabilities(); }
  [[nodiscard]] std::unique_ptr<Communicator> join(const GroupOptions& group) override {
    const bool is_faulty = group.members[static_cast<std::size_t>(group.own_index)] == model::RankId(1);
    return std::make_unique<FaultyCommunicator>(real_->join(group), is_faulty);
  }
  void abort() noexcept override { real_->abort(); }

 private:
  std::unique_ptr<Backend> real_;
};

}  // namespace

int main(int argc, char** argv) {
  Parts parts;
  parts.load_job = &load_double;
  parts.backends = cpu_backends();
  for (BackendParts& backend : parts.backends) {
    const auto make_real = backend.make_rank;
    backend.make_rank = [make_real](const Job& job, model::RankId rank, const BackendOptions& options) {
      RankParts made = make_real(job, rank, options);
      made.backend = std::make_unique<FaultyBackend>(std::move(made.backend));
      return made;
    };
  }
  return execute_main(argc, argv, parts);
}
