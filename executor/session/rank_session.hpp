// One rank's whole run: join the groups, verify the communication, warm up, measure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "executor/backend/backend.hpp"
#include "executor/session/compute_engine.hpp"
#include "executor/session/host_io.hpp"
#include "executor/session/rank_report.hpp"
#include "executor/session/task_timeline.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// What a rank runs on.
struct RankParts {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<ComputeEngine> engine;
  std::unique_ptr<TaskTimeline> timeline;           ///< null where tasks end with their calls
  std::function<std::int64_t()> peak_memory_bytes;  ///< so far, of the memory that the plan predicts
};

struct RankRun {
  model::RankId rank = model::RankId(0);
  int warmup = 0;  ///< steps after verification that are not recorded
  int steps = 1;   ///< measured steps
};

/// All ranks of the job call this at the same time. Reports each phase, each measured step and the end. Steps are
/// separated by a barrier and begin at one moment of the shared clock. Throws EnvironmentError, naming rank and task; a
/// failure of the steps is reported before that.
void run_rank(const model::ExecutionGraph& graph, const RankRun& run, const RankParts& parts, HostIo& host_io,
              const std::function<void(const RankReport&)>& report);

}  // namespace trainwright::executor
