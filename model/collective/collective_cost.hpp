// What a collective or a message costs on a cluster: a latency part and flows. The closed form is latency + the time of
// the most loaded resource; the simulator sends the same flows through the topology, where they contend. Alone, both
// give the same time by construction. Equations and constants: docs/models/collectives.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/cost/cost_constants.hpp"
#include "model/graph/task.hpp"
#include "model/hardware/cluster.hpp"
#include "model/plan/placement.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// How a group lies on the nodes, and who shares its network adapters at the same time. A "node" is a link domain here:
/// several nodes where one switch joins their devices (NVL72).
struct GroupShape {
  int ranks = 1;
  int nodes = 1;
  int ranks_per_node = 1;           ///< the largest over its nodes
  int sharing_groups_per_node = 1;  ///< sibling groups of the axis that use one node's adapters together
  int ranks_per_device = 1;         ///< above 1 where ranks share cores
  friend bool operator==(const GroupShape&, const GroupShape&) = default;
};

[[nodiscard]] GroupShape group_shape(const Placement& placement, const Cluster& cluster, GroupAxis axis, RankId member);

struct Flow {
  RankId from = RankId(0);
  RankId to = RankId(0);
  Bytes bytes = Bytes::zero();
};

/// All flows start together, `latency` after the last member has arrived; the collective ends when the last flow ends.
struct FlowPlan {
  Seconds latency = Seconds::zero();
  std::vector<Flow> flows;
};

/// Bytes per second that one flow inside a node, or one adapter, really reaches: data sheet x efficiency; of an adapter
/// behind the host's copies (TCP) what both one after the other leave, and at most what was measured on it.
/// The simulator builds its links with these.
[[nodiscard]] BytesPerSecond effective_link_bandwidth(const NodeGroup& group, const CostConstants& constants);
[[nodiscard]] BytesPerSecond effective_adapter_bandwidth(const NodeGroup& group, const CostConstants& constants);

/// Closed form, the group alone apart from its siblings. Zero for a group of one.
[[nodiscard]] Seconds collective_duration(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster,
                                          const CostConstants& constants);
/// By task: what the collectives inside the layers of a rank's program take alone; zero for all other tasks.
[[nodiscard]] std::vector<Seconds> layer_collective_durations(std::span<const Task> tasks, RankId rank,
                                                              const Placement& placement, const Cluster& cluster,
                                                              const CostConstants& constants);
/// The same as flows between the members (in group order).
[[nodiscard]] FlowPlan collective_flows(const CollectiveWork& work, const std::vector<RankId>& members,
                                        const Placement& placement, const Cluster& cluster,
                                        const CostConstants& constants);

/// Closed form of one message; `sharing` messages use one node's adapters at the same time if they leave the node.
[[nodiscard]] Seconds transfer_duration(Bytes bytes, bool same_node, int sharing, const Cluster& cluster,
                                        const CostConstants& constants);
[[nodiscard]] FlowPlan transfer_flows(Bytes bytes, RankId from, RankId to, const Placement& placement,
                                      const Cluster& cluster, const CostConstants& constants);

}  // namespace trainwright::model
