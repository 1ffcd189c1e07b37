// SPDX-License-Identifier: Apache-2.0
#include "model/collective/collective_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

// In-switch reduction was measured with 6, 8 and 72 devices; with 4 NCCL keeps to rings.
constexpr int kMostRanksWithoutInSwitch = 4;
// A tree over more than two nodes moves as much as a ring, less well: NCCL keeps it to messages whose latency counts,
// and 96 and 1,440 ranks were seen to use the ring for large ones. The figure is our choice.
constexpr double kTreeLoss = 2.0;

// Everything both forms need.
struct Parts {
  double latency = 0.0;        // fixed, with knee and local copy
  double node_bytes = 0.0;     // per ring edge inside a node, at the link's effective bandwidth
  double network_bytes = 0.0;  // leaving one node for one neighbour, all members together
};

struct Counts {
  double steps;   // of the ring
  double weight;  // bytes over each ring edge / message size
};

Counts counts(CollectiveKind kind, double n) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {2.0 * (n - 1.0), 2.0 * (n - 1.0) / n};
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return {n - 1.0, (n - 1.0) / n};
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return {n - 1.0, 1.0};
    case CollectiveKind::all_to_all:
      return {1.0, (n - 1.0) / n};
    case CollectiveKind::ring_shift:
      return {1.0, 1.0};
  }
  return {0.0, 0.0};
}

const NodeGroup& front_group(const Cluster& cluster) {
  return cluster.groups.front();
}

double adapters_per_device(const NodeGroup& group) {
  return std::max(1.0, static_cast<double>(group.network->adapters) / group.devices_per_node);
}

// Seconds to move `bytes` out of a link domain for one group: bounded by the adapters its members reach, and by the
// domain's adapters when sibling groups use them at the same time.
double network_seconds(double bytes, const GroupShape& shape, const NodeGroup& group, const CostConstants& constants) {
  const double adapter = effective_adapter_bandwidth(group, constants).count();
  const double adapters = static_cast<double>(group.network->adapters) * nodes_per_domain(group);
  const double reachable = std::min(adapters, shape.ranks_per_node * adapters_per_device(group));
  return std::max(bytes / (reachable * adapter), bytes * shape.sharing_groups_per_node / (adapters * adapter));
}

// A ring over `ranks` devices inside a node, or its in-switch rival.
struct NodePart {
  double latency = 0.0;  // of ring steps or switch, without knee
  double bytes = 0.0;
  double knee = 0.0;
  double copy = 0.0;
};

double bulk_size(const CollectiveConstants& l, int ranks) {
  return l.bulk_bytes * (l.bulk_rank_power == 1.0 ? ranks : std::pow(ranks, l.bulk_rank_power));
}

NodePart node_part(const CollectiveWork& work, double size, const GroupShape& shape, const NodeGroup& group,
                   const CollectiveConstants& l, double bandwidth) {
  const Counts c = counts(work.kind, shape.ranks);
  const double crowd = l.crowding > 0.0 ? std::pow(shape.ranks_per_node / 2.0, l.crowding) : 1.0;
  const bool is_all_to_all = work.kind == CollectiveKind::all_to_all;
  const bool is_small = !is_all_to_all && l.bulk_bytes > 0.0 && size < bulk_size(l, shape.ranks);
  NodePart ring;
  ring.bytes = c.weight * size * l.kind_factor[static_cast<std::size_t>(work.kind)] * crowd;
  if (is_small)
    ring.bytes /= l.small_bandwidth_ratio;
  const double x = ring.bytes / bandwidth;
  ring.knee = std::sqrt(l.knee_s * x);
  const double share = size / shape.ranks;
  if (is_all_to_all) {
    ring.latency = l.base_s + l.all_to_all_s + l.all_to_all_plateau_s * share / (share + l.all_to_all_plateau_bytes);
    ring.copy = share / (l.all_to_all_copy_ratio * bandwidth);
    return ring;
  }
  ring.latency = l.base_s + l.step_s * c.steps;
  // The protocol for small messages writes straight to its place; the other goes through a buffer.
  if (!is_small && l.bulk_bytes > 0.0)
    ring.latency += l.bulk_s + l.bulk_step_s * c.steps;
  if (!is_small && (work.kind == CollectiveKind::all_gather || work.kind == CollectiveKind::reduce_scatter))
    ring.copy = share / (l.copy_ratio * bandwidth);
  if (work.kind != CollectiveKind::all_reduce || l.in_switch_efficiency <= 0.0 ||
      shape.ranks_per_node <= kMostRanksWithoutInSwitch)
    return ring;
  // Reduction inside the node's switch moves the message once up and once down.
  NodePart in_switch;
  const double up_and_down = size / (l.in_switch_efficiency * group.link->bandwidth.count());
  in_switch.bytes = up_and_down * bandwidth;
  in_switch.latency = l.in_switch_latency_s + l.in_switch_rank_s * shape.ranks_per_node;
  return in_switch.latency + up_and_down < ring.latency + x + ring.knee ? in_switch : ring;
}

struct NetworkPart {
  double latency = 0.0;
  double bytes = 0.0;
  double seconds = 0.0;      // of the bytes and their knee
  double node_factor = 1.0;  // on what the links in the nodes carry
};

// Across nodes, the steps inside the nodes included; `node_s` is the bandwidth part in the nodes. All-reduce takes the
// quicker of ring and tree, as NCCL does.
NetworkPart network_part(const CollectiveWork& work, double size, const GroupShape& shape, const NodeGroup& group,
                         const CostConstants& constants, double node_s) {
  const CollectiveConstants& w = constants.network;
  const CollectiveConstants& l = constants.node_link;
  const Counts c = counts(work.kind, shape.ranks);
  const double nodes = shape.nodes;
  const double inner = shape.ranks_per_node > 1 ? l.step_s : 0.0;
  const double hop = constants.network_step_latency * std::max(w.step_s, group.network->latency.count());
  const double passes = work.kind == CollectiveKind::all_reduce ? 2.0 : 1.0;
  const auto priced = [&](double latency, double bytes, double loss) {
    const double moved = bytes * w.kind_factor[static_cast<std::size_t>(work.kind)] * loss;
    const double x = network_seconds(moved, shape, group, constants);
    return NetworkPart{w.base_s + latency, moved, x + std::sqrt(w.knee_s * x), loss};
  };
  if (work.kind == CollectiveKind::all_to_all) {
    // Every member posts a message for each rank of the other nodes.
    const double others = static_cast<double>(shape.ranks) - shape.ranks_per_node;
    return priced(hop + l.step_s * others, shape.ranks_per_node * size * others / shape.ranks, 1.0);
  }
  const NetworkPart ring =
      priced(inner * passes * (shape.ranks - nodes) + hop * passes * (nodes - 1.0), c.weight * size, 1.0);
  if (work.kind != CollectiveKind::all_reduce)
    return ring;
  const double tree_latency =
      inner * passes * (shape.ranks_per_node - 1.0) + hop * passes * std::ceil(std::log2(nodes));
  // Two nodes with several devices each: a tree moves the message once each way.
  if (shape.nodes == 2 && shape.ranks_per_node > 1)
    return priced(tree_latency, size, 1.0);
  const NetworkPart tree = priced(tree_latency, c.weight * size, kTreeLoss);
  const auto total = [&](const NetworkPart& part) {
    return part.latency + std::max(part.seconds, node_s * part.node_factor);
  };
  return total(tree) < total(ring) ? tree : ring;
}

Parts parts(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster,
            const CostConstants& constants) {
  const NodeGroup& group = front_group(cluster);
  const double size = to_bytes(work.bytes).count();
  Parts p;
  NodePart node;
  double node_s = 0.0;
  if (shape.ranks_per_node > 1) {
    const double bandwidth = effective_link_bandwidth(group, constants).count();
    node = node_part(work, size, shape, group, constants.node_link, bandwidth);
    node_s = node.bytes / bandwidth;
    p.node_bytes = node.bytes;
  }
  if (shape.nodes == 1) {
    p.latency = node.latency + node.knee + node.copy;
    return p;
  }
  TRAINWRIGHT_EXPECTS(group.network.has_value(), "cluster " + cluster.id + " has no network");
  const NetworkPart network = network_part(work, size, shape, group, constants, node_s);
  p.network_bytes = network.bytes;
  p.node_bytes *= network.node_factor;
  const double x = network_seconds(network.bytes, shape, group, constants);
  p.latency = network.latency + (network.seconds - x) + node.copy;
  return p;
}

}  // namespace

GroupShape group_shape(const Placement& placement, const Cluster& cluster, GroupAxis axis, RankId member) {
  const std::vector<RankId> ranks = placement.group(member, axis);
  GroupShape shape;
  shape.ranks = static_cast<int>(ranks.size());
  std::map<LinkDomainId, int> on_node;
  RankId on_fullest = member;
  for (const RankId rank : ranks) {
    const LinkDomainId node = link_domain_of(cluster, placement.device(rank));
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
  // Ranks of one domain are consecutive, since devices are numbered node by node.
  const LinkDomainId fullest = link_domain_of(cluster, placement.device(on_fullest));
  const auto is_here = [&](int rank) { return link_domain_of(cluster, placement.device(RankId(rank))) == fullest; };
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
  return group.link->bandwidth * (constants.node_link.efficiency * constants.node_link_step_rate);
}

BytesPerSecond effective_adapter_bandwidth(const NodeGroup& group, const CostConstants& constants) {
  TRAINWRIGHT_EXPECTS(group.network.has_value(), "node group of " + group.accelerator.id + " has no network");
  const BytesPerSecond wire = group.network->rate * (constants.network.efficiency * constants.network_step_rate);
  const double copy = constants.network.host_copy_bytes_per_s;
  const BytesPerSecond promised = copy > 0.0 ? wire * (copy / (copy + wire.count())) : wire;
  return group.network->measured_rate ? std::min(promised, *group.network->measured_rate) : promised;
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

std::vector<Seconds> layer_collective_durations(std::span<const Task> tasks, RankId rank, const Placement& placement,
                                                const Cluster& cluster, const CostConstants& constants) {
  std::array<std::optional<GroupShape>, kGroupAxisWords.size()> shapes;
  std::vector<Seconds> durations(tasks.size(), Seconds(0.0));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto* work = std::get_if<CollectiveWork>(&tasks[i].work);
    if (work == nullptr || tasks[i].stream != Stream::tensor || tasks[i].phase.layer_begin < 0)
      continue;
    std::optional<GroupShape>& shape = shapes[static_cast<std::size_t>(work->axis)];
    if (!shape)
      shape = group_shape(placement, cluster, work->axis, rank);
    durations[i] = collective_duration(*work, *shape, cluster, constants);
  }
  return durations;
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
  std::map<LinkDomainId, std::size_t> index;
  for (const RankId rank : members) {
    const LinkDomainId node = link_domain_of(cluster, placement.device(rank));
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

// Links carry what collectives reach; a message with another efficiency moves proportionally more or fewer bytes.
Bytes link_bytes(Bytes bytes, bool same_node, const NodeGroup& group, const CostConstants& constants) {
  const double reached = same_node
                             ? constants.node_link.efficiency
                             : effective_adapter_bandwidth(group, constants).count() / group.network->rate.count();
  return bytes * (reached / transfer_constants(same_node, constants).transfer_efficiency);
}

}  // namespace

namespace {

// A network slower than those the constants come from states its latency.
Seconds transfer_latency(bool same_node, const NodeGroup& group, const CostConstants& constants) {
  const Seconds usual(transfer_constants(same_node, constants).transfer_latency_s);
  return same_node ? usual : std::max(usual, group.network->latency);
}

}  // namespace

Seconds transfer_duration(Bytes bytes, bool same_node, int sharing, const Cluster& cluster,
                          const CostConstants& constants) {
  const NodeGroup& group = front_group(cluster);
  const Seconds latency = transfer_latency(same_node, group, constants);
  const Bytes moved = link_bytes(bytes, same_node, group, constants);
  if (same_node)
    return latency + moved / effective_link_bandwidth(group, constants);
  const BytesPerSecond adapter = effective_adapter_bandwidth(group, constants);
  const Seconds alone = moved / (adapter * adapters_per_device(group));
  const Seconds shared = moved * static_cast<double>(sharing) / (adapter * group.network->adapters);
  return latency + std::max(alone, shared);
}

FlowPlan transfer_flows(Bytes bytes, RankId from, RankId to, const Placement& placement, const Cluster& cluster,
                        const CostConstants& constants) {
  const bool same_node =
      link_domain_of(cluster, placement.device(from)) == link_domain_of(cluster, placement.device(to));
  FlowPlan plan;
  plan.latency = transfer_latency(same_node, front_group(cluster), constants);
  plan.flows.push_back({from, to, link_bytes(bytes, same_node, front_group(cluster), constants)});
  return plan;
}

}  // namespace trainwright::model
