// SPDX-License-Identifier: Apache-2.0
#include "model/collective/collective_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

// Everything both forms need; x_* are times of the bandwidth parts.
struct Parts {
  double latency = 0.0;        // fixed, with knee and local copy
  double node_bytes = 0.0;     // per ring edge inside a node, at the link's effective bandwidth
  double network_bytes = 0.0;  // leaving one node for one neighbour, all members together
};

struct Counts {
  double ranks;
  double nodes;
  double steps;   // of the ring
  double weight;  // bytes over each ring edge / message size
};

Counts counts(CollectiveKind kind, const GroupShape& shape) {
  const double n = shape.ranks;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {n, static_cast<double>(shape.nodes), 2.0 * (n - 1.0), 2.0 * (n - 1.0) / n};
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return {n, static_cast<double>(shape.nodes), n - 1.0, (n - 1.0) / n};
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return {n, static_cast<double>(shape.nodes), n - 1.0, 1.0};
    case CollectiveKind::all_to_all:
      return {n, static_cast<double>(shape.nodes), 1.0, (n - 1.0) / n};
    case CollectiveKind::ring_shift:
      return {n, static_cast<double>(shape.nodes), 1.0, 1.0};
  }
  return {n, 1.0, 0.0, 0.0};
}

const NodeGroup& front_group(const Cluster& cluster) {
  return cluster.groups.front();
}

double adapters_per_device(const NodeGroup& group) {
  return std::max(1.0, static_cast<double>(group.network->adapters) / group.devices_per_node);
}

// Seconds to move `bytes` out of a node for one group: bounded by the adapters its members reach, and by the node's
// adapters when sibling groups use them at the same time.
double network_seconds(double bytes, const GroupShape& shape, const NodeGroup& group, const CostConstants& constants) {
  const double adapter = effective_adapter_bandwidth(group, constants).count();
  const double reachable =
      std::min(static_cast<double>(group.network->adapters), shape.ranks_per_node * adapters_per_device(group));
  return std::max(bytes / (reachable * adapter),
                  bytes * shape.sharing_groups_per_node / (static_cast<double>(group.network->adapters) * adapter));
}

Parts parts(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster,
            const CostConstants& constants) {
  const NodeGroup& group = front_group(cluster);
  const double size = to_bytes(work.bytes).count();
  const Counts c = counts(work.kind, shape);
  const double kind_factor_node = constants.node_link.kind_factor[static_cast<std::size_t>(work.kind)];
  const double kind_factor_net = constants.network.kind_factor[static_cast<std::size_t>(work.kind)];
  Parts p;
  if (shape.ranks_per_node > 1) {
    const CollectiveConstants& l = constants.node_link;
    const double bandwidth = effective_link_bandwidth(group, constants).count();
    p.node_bytes = c.weight * size * kind_factor_node;
    double x = p.node_bytes / bandwidth;
    double latency = l.base_s + l.step_s * (shape.nodes > 1 ? std::max(0.0, c.steps - 2.0 * (c.nodes - 1.0)) : c.steps);
    double copy = 0.0;
    if (work.kind == CollectiveKind::all_gather || work.kind == CollectiveKind::reduce_scatter)
      copy = size / (c.ranks * l.copy_ratio * bandwidth);
    if (work.kind == CollectiveKind::all_to_all)
      copy = size / (c.ranks * l.all_to_all_copy_ratio * bandwidth);
    if (work.kind == CollectiveKind::all_reduce && l.in_switch_efficiency > 0.0 && shape.ranks_per_node > 4) {
      // Reduction inside the node's switch moves the message once up and once down.
      const double in_switch = size / (l.in_switch_efficiency * group.link->bandwidth.count());
      const double ring_total = latency + x + std::sqrt(l.knee_s * x);
      if (l.in_switch_latency_s + in_switch < ring_total) {
        p.node_bytes = in_switch * bandwidth;
        x = in_switch;
        latency = l.in_switch_latency_s;
        if (shape.nodes == 1) {
          p.latency = latency;
          return p;
        }
      }
    }
    if (shape.nodes == 1) {
      p.latency = latency + std::sqrt(l.knee_s * x) + copy;
      return p;
    }
    // Across nodes the ring inside a node is entered and left in a pipeline: its steps count once.
    p.latency = l.base_s + l.step_s * (shape.ranks_per_node - 1.0) + copy;
  }
  if (shape.nodes > 1) {
    TRAINWRIGHT_EXPECTS(group.network.has_value(), "cluster " + cluster.id + " has no network");
    const CollectiveConstants& w = constants.network;
    switch (work.kind) {
      case CollectiveKind::all_reduce:
        // Two nodes: NCCL's tree moves the message once each way. More: the ring's share.
        p.network_bytes = shape.nodes == 2 && shape.ranks_per_node > 1 ? size : c.weight * size;
        p.latency += w.base_s + w.step_s * 2.0 * std::ceil(std::log2(c.nodes));
        break;
      case CollectiveKind::all_to_all: {
        const double leaving = shape.ranks_per_node * size * (c.ranks - shape.ranks_per_node) / c.ranks;
        p.network_bytes = leaving;
        p.latency += w.base_s + w.step_s * (c.nodes - 1.0);
        break;
      }
      default:
        p.network_bytes = c.weight * size;
        p.latency += w.base_s + w.step_s * (c.nodes - 1.0);
        break;
    }
    p.network_bytes *= kind_factor_net;
    const double x = network_seconds(p.network_bytes, shape, group, constants);
    p.latency += std::sqrt(w.knee_s * x);
  }
  return p;
}

}  // namespace

GroupShape group_shape(const Placement& placement, const Cluster& cluster, GroupAxis axis, RankId member) {
  const std::vector<RankId> ranks = placement.group(member, axis);
  GroupShape shape;
  shape.ranks = static_cast<int>(ranks.size());
  std::map<NodeId, int> on_node;
  RankId on_fullest = member;
  for (const RankId rank : ranks) {
    const NodeId node = node_of(cluster, placement.device(rank));
    const int count = ++on_node[node];
    if (count > shape.ranks_per_node) {
      shape.ranks_per_node = count;
      on_fullest = rank;
    }
  }
  shape.nodes = static_cast<int>(on_node.size());
  const int devices = device_count(cluster);
  const int world = placement.world_size();
  shape.ranks_per_device = std::max(1, (world + devices - 1) / devices);
  // Ranks of one node are consecutive, since devices are numbered node by node.
  const NodeId fullest = node_of(cluster, placement.device(on_fullest));
  const auto is_here = [&](int rank) { return node_of(cluster, placement.device(RankId(rank))) == fullest; };
  int first = on_fullest.value();
  while (first > 0 && is_here(first - 1))
    --first;
  std::set<RankId> sibling_firsts;
  for (int r = first; r < world && is_here(r); ++r)
    sibling_firsts.insert(placement.group(RankId(r), axis).front());
  shape.sharing_groups_per_node = static_cast<int>(sibling_firsts.size());
  return shape;
}

BytesPerSecond effective_link_bandwidth(const NodeGroup& group, const CostConstants& constants) {
  TRAINWRIGHT_EXPECTS(group.link.has_value(), "node group of " + group.accelerator.id + " has no link");
  return group.link->bandwidth * constants.node_link.efficiency;
}

BytesPerSecond effective_adapter_bandwidth(const NodeGroup& group, const CostConstants& constants) {
  TRAINWRIGHT_EXPECTS(group.network.has_value(), "node group of " + group.accelerator.id + " has no network");
  return group.network->rate * constants.network.efficiency;
}

namespace {

// A shift is one message from each member to the next: the slowest edge ends it. Members lie on their nodes in order,
// so that of the members on one node the last one alone sends to another.
Seconds shift_duration(Bytes bytes, const GroupShape& shape, const Cluster& cluster, const CostConstants& constants) {
  Seconds slowest(0.0);
  if (shape.ranks_per_node > 1)
    slowest = transfer_duration(bytes, true, 1, cluster, constants);
  if (shape.nodes > 1)
    slowest = std::max(slowest, transfer_duration(bytes, false, shape.sharing_groups_per_node, cluster, constants));
  return slowest;
}

}  // namespace

Seconds collective_duration(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster,
                            const CostConstants& constants) {
  if (shape.ranks <= 1)
    return Seconds(0.0);
  if (work.kind == CollectiveKind::ring_shift)
    return shift_duration(to_bytes(work.bytes), shape, cluster, constants);
  const Parts p = parts(work, shape, cluster, constants);
  const NodeGroup& group = front_group(cluster);
  double bandwidth_part = 0.0;
  if (p.node_bytes > 0.0)
    bandwidth_part = p.node_bytes / effective_link_bandwidth(group, constants).count();
  if (p.network_bytes > 0.0)
    bandwidth_part = std::max(bandwidth_part, network_seconds(p.network_bytes, shape, group, constants));
  return Seconds(p.latency + bandwidth_part);
}

FlowPlan collective_flows(const CollectiveWork& work, const std::vector<RankId>& members, const Placement& placement,
                          const Cluster& cluster, const CostConstants& constants) {
  FlowPlan plan;
  if (members.size() <= 1)
    return plan;
  if (work.kind == CollectiveKind::ring_shift) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const FlowPlan message = transfer_flows(to_bytes(work.bytes), members[i], members[(i + 1) % members.size()],
                                              placement, cluster, constants);
      plan.latency = std::max(plan.latency, message.latency);
      plan.flows.insert(plan.flows.end(), message.flows.begin(), message.flows.end());
    }
    return plan;
  }
  const GroupShape shape = group_shape(placement, cluster, work.axis, members.front());
  const Parts p = parts(work, shape, cluster, constants);
  plan.latency = Seconds(p.latency);

  std::vector<std::vector<RankId>> by_node;
  std::map<NodeId, std::size_t> index;
  for (const RankId rank : members) {
    const NodeId node = node_of(cluster, placement.device(rank));
    const auto [it, is_new] = index.try_emplace(node, by_node.size());
    if (is_new)
      by_node.emplace_back();
    by_node[it->second].push_back(rank);
  }
  if (p.node_bytes > 0.0)
    for (const std::vector<RankId>& ranks : by_node) {
      // One node closes its ring itself; across nodes the last edge is the network's.
      const std::size_t edges = by_node.size() == 1 ? ranks.size() : ranks.size() - 1;
      for (std::size_t i = 0; i < edges; ++i)
        plan.flows.push_back({ranks[i], ranks[(i + 1) % ranks.size()], Bytes(p.node_bytes)});
    }
  if (p.network_bytes > 0.0)
    for (std::size_t a = 0; a < by_node.size(); ++a) {
      const std::vector<RankId>& from = by_node[a];
      const std::vector<RankId>& to = by_node[(a + 1) % by_node.size()];
      for (std::size_t i = 0; i < from.size(); ++i)
        plan.flows.push_back({from[i], to[i % to.size()], Bytes(p.network_bytes / static_cast<double>(from.size()))});
    }
  return plan;
}

namespace {

const CollectiveConstants& transfer_constants(bool same_node, const CostConstants& constants) {
  return same_node ? constants.node_link : constants.network;
}

// Links carry collective efficiency; a message with another efficiency moves proportionally more or fewer bytes.
Bytes link_bytes(Bytes bytes, bool same_node, const CostConstants& constants) {
  const CollectiveConstants& c = transfer_constants(same_node, constants);
  return bytes * (c.efficiency / c.transfer_efficiency);
}

}  // namespace

Seconds transfer_duration(Bytes bytes, bool same_node, int sharing, const Cluster& cluster,
                          const CostConstants& constants) {
  const NodeGroup& group = front_group(cluster);
  const Seconds latency(transfer_constants(same_node, constants).transfer_latency_s);
  const Bytes moved = link_bytes(bytes, same_node, constants);
  if (same_node)
    return latency + moved / effective_link_bandwidth(group, constants);
  const BytesPerSecond adapter = effective_adapter_bandwidth(group, constants);
  const Seconds alone = moved / (adapter * adapters_per_device(group));
  const Seconds shared = moved * static_cast<double>(sharing) / (adapter * group.network->adapters);
  return latency + std::max(alone, shared);
}

FlowPlan transfer_flows(Bytes bytes, RankId from, RankId to, const Placement& placement, const Cluster& cluster,
                        const CostConstants& constants) {
  const bool same_node = node_of(cluster, placement.device(from)) == node_of(cluster, placement.device(to));
  FlowPlan plan;
  plan.latency = Seconds(transfer_constants(same_node, constants).transfer_latency_s);
  plan.flows.push_back({from, to, link_bytes(bytes, same_node, constants)});
  return plan;
}

}  // namespace trainwright::model
