// The step as actors: one for each simulated rank and stream, and one for each group that runs segments together. Never
// a DAG of the maestro, which SimGrid searches linearly.
//
// Who waits for whom is kept in plain counters; an actor with nothing to do sleeps on its own semaphore and is woken by
// the actor that completes the last thing it waits for. Meaning of a task, see model/graph/execution_graph.hpp:
//   compute      its seconds on the rank's device. While communication runs on the rank it takes `compute_share` of the
//                device, so that compute advances at 1 - share; when that changes, the end is worked out again. With
//                more ranks than cores, compute is an execution on the node's host, one core each, and running
//                communication is an execution bounded to the share: the same on an own core, and true sharing
//                otherwise.
//   collective   begins when all members are there; latency, then all flows at once; ends for all with the last flow.
//   send         begins when its turn comes, ends when the message has been delivered.
//   receive      ends when its turn has come and the message is there.
//   host I/O     latency of the storage, then a flow through its link, shared by the whole cluster.
// Every task first occupies its stream for the host's dispatch time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "simulator/engine/engine_session.hpp"
#include "simulator/engine/platform_builder.hpp"
#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

/// Fraction of the items done.
using RunProgress = std::function<void(double)>;

/// Runs the step to where it cannot go on. Whether that is its end, completion_check.hpp says.
[[nodiscard]] RunRecord run_step(EngineSession& session, const Platform& platform, const RunPlan& plan,
                                 const RunProgress& progress);

}  // namespace trainwright::simulator
