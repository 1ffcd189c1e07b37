// A timeline in the Trace Event Format that Perfetto, chrome://tracing and Holistic Trace Analysis open: one process a
// rank, one thread a stream, times in microseconds. Simulated and executed steps look the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/estimate/timeline.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::model {

/// `title` is kept in the file's metadata ("simulated, full"; "executed, 5 steps"). Intervals of one rank may cover
/// several steps: the same task then appears again later. Precondition: every interval's task is in its rank's program.
[[nodiscard]] std::string to_chrome_trace_json(const Timeline& timeline, const ExecutionGraph& graph,
                                               std::string_view title);

}  // namespace trainwright::model
