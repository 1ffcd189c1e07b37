// SPDX-License-Identifier: Apache-2.0
#include "model/collective/plausibility.hpp"

#include <algorithm>

#include "model/collective/bus_bandwidth.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr double kFarAbove = 3.0;
constexpr Seconds kPeerLatency = Seconds(10e-6);  // start of one message, generous

}  // namespace

Seconds collective_bound(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster) {
  const NodeGroup& node = cluster.groups.front();
  const double sent = bus_bandwidth_factor(work.kind, shape.ranks) * static_cast<double>(work.bytes.count());
  Seconds transfer = Seconds::zero();
  if (node.link)
    transfer = Bytes(sent) / node.link->bandwidth;
  if (shape.nodes > 1 && node.network) {
    const double outside = static_cast<double>(shape.ranks - shape.ranks_per_node) / std::max(shape.ranks - 1, 1);
    const double of_node = sent * outside * shape.ranks_per_node * shape.sharing_groups_per_node;
    transfer = std::max(transfer, Bytes(of_node) / (node.network->rate * static_cast<double>(node.network->adapters)));
  }
  return transfer + kPeerLatency * static_cast<double>(shape.ranks - 1);
}

std::optional<std::string> implausible_collective(const CollectiveWork& work, const GroupShape& shape,
                                                  const Cluster& cluster, Seconds time) {
  const Seconds bound = collective_bound(work, shape, cluster);
  const double ratio = time / bound;
  if (shape.ranks < 2 || ratio <= kFarAbove)
    return std::nullopt;
  return std::string(to_word(work.kind)) + " of " + format(work.bytes) + " over " + std::to_string(shape.ranks) +
         " ranks takes " + format(time) + ", " + format_fixed(ratio, 1) + " times the bound of " + format(bound) +
         " that its bytes and latency set";
}

}  // namespace trainwright::model
