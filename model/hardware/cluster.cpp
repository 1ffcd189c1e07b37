// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/cluster.hpp"

#include <algorithm>
#include <numeric>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

int devices_of(const NodeGroup& group) { return group.nodes * group.devices_per_node; }

bool same_shape(const NodeGroup& a, NodeGroup b) {
  b.nodes = a.nodes;
  return a == b;
}

}  // namespace

int node_count(const Cluster& cluster) {
  return std::accumulate(cluster.groups.begin(), cluster.groups.end(), 0,
                         [](int sum, const NodeGroup& group) { return sum + group.nodes; });
}

int device_count(const Cluster& cluster) {
  return std::accumulate(cluster.groups.begin(), cluster.groups.end(), 0,
                         [](int sum, const NodeGroup& group) { return sum + devices_of(group); });
}

NodeId node_of(const Cluster& cluster, DeviceId device) {
  TRAINWRIGHT_EXPECTS(device.value() >= 0 && device.value() < device_count(cluster),
                      "device " + std::to_string(device.value()) + " of " + std::to_string(device_count(cluster)));
  int first_node = 0;
  int rest = device.value();
  auto group = cluster.groups.begin();
  for (; rest >= devices_of(*group); ++group) {
    rest -= devices_of(*group);
    first_node += group->nodes;
  }
  return NodeId(first_node + rest / group->devices_per_node);
}

const NodeGroup& group_of(const Cluster& cluster, NodeId node) {
  TRAINWRIGHT_EXPECTS(node.value() >= 0 && node.value() < node_count(cluster),
                      "node " + std::to_string(node.value()) + " of " + std::to_string(node_count(cluster)));
  int rest = node.value();
  auto group = cluster.groups.begin();
  for (; rest >= group->nodes; ++group)
    rest -= group->nodes;
  return *group;
}

const Accelerator& accelerator_of(const Cluster& cluster, DeviceId device) {
  return group_of(cluster, node_of(cluster, device)).accelerator;
}

bool is_uniform(const Cluster& cluster) {
  return std::all_of(cluster.groups.begin(), cluster.groups.end(),
                     [&](const NodeGroup& group) { return same_shape(cluster.groups.front(), group); });
}

Cluster resized(const Cluster& cluster, int devices) {
  TRAINWRIGHT_EXPECTS(devices > 0, std::to_string(devices) + " devices");
  TRAINWRIGHT_EXPECTS(!cluster.groups.empty() && is_uniform(cluster), "cluster " + cluster.id);
  Cluster result = cluster;
  result.groups.resize(1, result.groups.front());
  NodeGroup& group = result.groups.front();
  group.nodes = (devices + group.devices_per_node - 1) / group.devices_per_node;
  return result;
}

}  // namespace trainwright::model
