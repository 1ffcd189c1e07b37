// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_session.hpp"

#include <array>
#include <bit>

#include "executor/process/memory.hpp"
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
  Control(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend) : rank_(rank) {
    if (graph.rank_count() == 1)
      return;
    GroupOptions group{"control", {}, static_cast<int>(rank.value())};
    for (int r = 0; r < graph.rank_count(); ++r)
      group.members.push_back(model::RankId(r));
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
    if (communicator_)
      communicator_->broadcast(halves, 0);
    return std::bit_cast<SteadyNs>(halves);
  }

 private:
  model::RankId rank_;
  std::unique_ptr<Communicator> communicator_;
};

}  // namespace

void run_rank(const model::ExecutionGraph& graph, const RankRun& run, Backend& backend, ComputeEngine& engine,
              HostIo& host_io, const std::function<void(const RankReport&)>& report) {
  report(PhaseReport{RankPhase::connecting});
  Control control(graph, run.rank, backend);
  RankTasks tasks(graph, run.rank, backend, engine, host_io);
  StreamSession session(StreamSchedule(graph.program_of_rank(run.rank)), tasks);
  StepReport step;

  report(PhaseReport{RankPhase::verifying});
  tasks.begin_verification();
  session.run_step(control.common_start(), step.tasks);
  tasks.end_verification();

  if (run.warmup > 0)
    report(PhaseReport{RankPhase::warming_up});
  for (int i = 0; i < run.warmup; ++i)
    session.run_step(control.common_start(), step.tasks);

  report(PhaseReport{RankPhase::measuring});
  for (step.step = 0; step.step < run.steps; ++step.step) {
    step.common_start = control.common_start();
    session.run_step(step.common_start, step.tasks);
    control.barrier();  // nobody's report disturbs a rank that is still in the step
    report(step);
  }
  control.barrier();  // connections stay open until everybody is done
  report(FinishedReport{peak_resident_bytes()});
}

}  // namespace trainwright::executor
