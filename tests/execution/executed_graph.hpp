// Runs a plan with trainwright-execute, and compares what was measured with the plan's execution graph, which is what
// the estimators read and the simulator simulates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "model/calibration/measurement.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::test {

/// When a task of one step ended, from the start of the step.
[[nodiscard]] double end_of(const model::TaskRecord& record, std::size_t step);

/// The measurement that `program` writes for the plan; a failure of the test when there is none.
[[nodiscard]] model::Measurement run_plan(const std::string& program, const std::string& backend,
                                          const model::Plan& plan, int steps, const std::filesystem::path& folder,
                                          int warmup = 1);

/// Every rank did every task of its program once a step, in the order that the graph demands. Times of different ranks
/// may differ by `clock_slack` seconds.
void expect_graph_was_executed(const model::ExecutionGraph& graph, const model::ExecutedRun& run, std::size_t steps,
                               double clock_slack = 2e-6);

}  // namespace trainwright::test
