// What a task costs beside its work: time per task of a session whose tasks do nothing.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "executor/session/stream_session.hpp"

namespace {

using namespace trainwright;

class IdleRunner : public executor::TaskRunner {
 public:
  void run(model::TaskId) override {}
  void abort() noexcept override {}
};

// `chain`: every task waits for one of another stream, which is the worst case; else streams run free.
void dispatch(benchmark::State& state, bool chain) {
  constexpr int kTasks = 2000;
  model::Program program;
  for (int i = 0; i < kTasks; ++i) {
    model::Task task;
    task.stream = i % 2 == 0 || !chain ? model::Stream::compute : model::Stream::data;
    program.tasks.push_back(task);
    if (i > 0)
      program.dependencies.push_back({model::TaskId(i - 1), model::TaskId(i)});
  }
  IdleRunner runner;
  executor::StreamSession session(executor::StreamSchedule(program), runner);
  std::vector<executor::TaskStamp> stamps;
  for (auto _ : state)
    session.run_step(0, stamps);
  state.SetItemsProcessed(state.iterations() * kTasks);
  state.counters["s_per_task"] = benchmark::Counter(static_cast<double>(state.iterations() * kTasks),
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK_CAPTURE(dispatch, one_stream, false)->UseRealTime();
BENCHMARK_CAPTURE(dispatch, streams_hand_over, true)->UseRealTime();
BENCHMARK_MAIN();
