// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_session.hpp"

#include <array>
#include <bit>

#include "executor/session/rank_tasks.hpp"
#include "executor/session/stream_session.hpp"

namespace trainwright::executor {
namespace {

// From rank 0's decision to the common start: time for the broadcast to reach everybody, and for threads to go to
// sleep.
constexpr SteadyNs kLead = 2'000'000;

// The group of all ranks, for what is not part of the step: barriers and the common start.
class Control {
 public:
  Control(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend) {
    if (graph.rank_count() == 1)
      return;
    GroupOptions group{"control", {}, static_cast<int>(rank.value())};
    for (int r = 0; r < graph.rank_count(); ++r)
      group.members.push_back(model::RankId(r));
    clock_ = backend.allocate(std::nullopt, 2);
    communicator_ = backend.join(group);
  }

  void barrier() {
    if (communicator_)
      communicator_->barrier();
  }

  [[nodiscard]] SteadyNs common_start() {
    barrier();
    // A broadcast moves bits, so the clock may travel as two floats.
    auto halves = std::bit_cast<std::array<float, 2>>(steady_now() + kLead);
    if (communicator_) {
      clock_->write(halves);
      communicator_->broadcast(clock_->elements(), 0);
      clock_->read(halves);
    }
    return std::bit_cast<SteadyNs>(halves);
  }

 private:
  std::unique_ptr<Buffer> clock_;
  std::unique_ptr<Communicator> communicator_;
};

void run_steps(RankTasks& tasks, Control& control, StreamSession& session, const RankRun& run,
               const std::function<void(const RankReport&)>& report) {
  StepReport step;
  const auto run_step = [&] {
    tasks.begin_step();
    step.common_start = control.common_start();
    session.run_step(step.common_start, step.tasks);
    tasks.finish_step(step.tasks);
  };

  report(PhaseReport{RankPhase::verifying});
  tasks.begin_verification();
  run_step();
  tasks.end_verification();

  if (run.warmup > 0)
    report(PhaseReport{RankPhase::warming_up});
  for (int i = 0; i < run.warmup; ++i)
    run_step();

  report(PhaseReport{RankPhase::measuring});
  for (step.step = 0; step.step < run.steps; ++step.step) {
    run_step();
    control.barrier();  // nobody's report disturbs a rank that is still in the step
    report(step);
  }
  control.barrier();  // connections stay open until everybody is done
}

}  // namespace

void run_rank(const model::ExecutionGraph& graph, const RankRun& run, const RankParts& parts, HostIo& host_io,
              const std::function<void(const RankReport&)>& report) {
  report(PhaseReport{RankPhase::connecting});
  Control control(graph, run.rank, *parts.backend);
  RankTasks tasks(graph, run.rank, *parts.backend, *parts.engine, host_io, parts.timeline.get());
  StreamSession session(StreamSchedule(graph.program_of_rank(run.rank)), tasks);
  try {
    run_steps(tasks, control, session, run, report);
  } catch (const std::exception& error) {
    // Said before anything is given back, which on a device that hangs may take for ever.
    parts.backend->abort();
    report(FailureReport{dynamic_cast<const CommunicationError*>(&error) != nullptr, error.what()});
    throw;
  }
  report(FinishedReport{parts.peak_memory_bytes()});
}

}  // namespace trainwright::executor
