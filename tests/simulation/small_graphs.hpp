// Execution graphs of a few tasks, written by hand, on clusters whose times are easy to work out: every link carries
// what it says, nothing has a latency unless a test gives it one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simulator/engine/simulate.hpp"

namespace trainwright::test {

/// Bytes per second of a device's port inside a node, and of an adapter.
inline constexpr double kPortRate = 100e9;
inline constexpr double kAdapterRate = 10e9;

/// Nodes of `devices` devices behind a switch, `adapters` each, full bisection.
[[nodiscard]] model::Cluster plain_cluster(int nodes, int devices, int adapters);
/// One node of `cores` cores that `cores` device slots share.
[[nodiscard]] model::Cluster core_cluster(int cores);
/// No latencies, no efficiencies, no host time, no interference.
[[nodiscard]] model::CostConstants bare_constants();

[[nodiscard]] model::Layout layout_of(int tp, int dp, int pp);

/// Puts a program together, one call a task. Returned ids serve as dependencies.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(int stage = 0) { program_.stage = model::StageId(stage); }
  model::TaskId compute(double seconds, std::vector<model::TaskId> after = {}, model::Pass pass = model::Pass::forward);
  model::TaskId collective(model::GroupAxis axis, double bytes, std::vector<model::TaskId> after = {},
                           model::Stream stream = model::Stream::data,
                           model::CollectiveKind kind = model::CollectiveKind::all_reduce);
  model::TaskId send(int to_stage, double bytes, int tag, std::vector<model::TaskId> after = {});
  model::TaskId receive(int from_stage, double bytes, int tag, std::vector<model::TaskId> after = {});
  model::TaskId host_io(bool is_write, double bytes, std::vector<model::TaskId> after = {});
  [[nodiscard]] model::Program build();

 private:
  model::TaskId add(model::Task task, const std::vector<model::TaskId>& after);
  model::Program program_;
};

/// One program for each stage, all ranks of a stage run it.
[[nodiscard]] model::ExecutionGraph graph_of(const model::Layout& layout, const model::Cluster& cluster,
                                             std::vector<model::Program> programs);

/// Every rank an actor, timeline of all ranks.
[[nodiscard]] simulator::SimulationRequest full_request();

/// End of a task on a rank; -1 if the timeline has none.
[[nodiscard]] double end_of(const simulator::SimulationReport& report, int rank, model::TaskId task);
[[nodiscard]] double start_of(const simulator::SimulationReport& report, int rank, model::TaskId task);
[[nodiscard]] double part(const simulator::SimulationReport& report, model::StepPart part);
[[nodiscard]] double sum(const model::Breakdown& breakdown);

}  // namespace trainwright::test
