// One simulation, from request to report. Once per process (engine_session.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/graph/execution_graph.hpp"
#include "simulator/client/report.hpp"
#include "simulator/client/request.hpp"
#include "simulator/engine/completion_check.hpp"
#include "simulator/engine/engine_session.hpp"
#include "simulator/engine/task_runner.hpp"

namespace trainwright::simulator {

/// Simulates a graph on a cluster: `request` without its plan. For plans use simulate().
/// Throws EngineRefusal (cycle inside a program, second use of the process), SimulationIncomplete (deadlock).
[[nodiscard]] SimulationReport simulate_graph(const model::ExecutionGraph& graph, const model::Cluster& cluster,
                                              const model::CostConstants& constants, const SimulationRequest& request,
                                              const RunProgress& progress = {});

/// The request's plan, with what the host adds to every micro-batch and step. Precondition: check_plan found no error.
/// Throws as simulate_graph, and InputError for a slow-down of a rank that does not exist.
[[nodiscard]] SimulationReport simulate(const SimulationRequest& request, const RunProgress& progress = {});

}  // namespace trainwright::simulator
