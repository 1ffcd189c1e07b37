// Executed steps in the trace event format that chrome://tracing and Perfetto open: a process for each rank, a thread
// for each stream, a slice for each task.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "executor/launch/launcher.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Times in microseconds from the first measured step. At most about `max_events` tasks: of longer runs the last whole
/// steps are kept (at least one), and "otherData" says how many were left out.
[[nodiscard]] std::string to_chrome_trace(const model::ExecutionGraph& graph, const LaunchResult& result,
                                          std::size_t max_events = 200'000);

}  // namespace trainwright::executor
