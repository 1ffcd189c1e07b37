// One rank's whole run: join the groups, verify the communication, warm up, measure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "executor/backend/backend.hpp"
#include "executor/session/compute_engine.hpp"
#include "executor/session/host_io.hpp"
#include "executor/session/rank_report.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

struct RankRun {
  model::RankId rank = model::RankId(0);
  int warmup = 0;  ///< steps after verification that are not recorded
  int steps = 1;   ///< measured steps
};

/// All ranks of the job call this at the same time. Reports each phase, each measured step and the end. Steps are
/// separated by a barrier and begin at one moment of the shared clock. Throws EnvironmentError, naming rank and task.
void run_rank(const model::ExecutionGraph& graph, const RankRun& run, Backend& backend, ComputeEngine& engine,
              HostIo& host_io, const std::function<void(const RankReport&)>& report);

}  // namespace trainwright::executor
