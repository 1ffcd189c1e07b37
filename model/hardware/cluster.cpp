// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/cluster.hpp"

#include "model/base/contract.hpp"

namespace trainwright::model {

int node_count(const Cluster& cluster) {
  int nodes = 0;
  for (const NodeGroup& group : cluster.groups)
    nodes += group.nodes;
  return nodes;
}

int device_count(const Cluster& cluster) {
  int devices = 0;
  for (const NodeGroup& group : cluster.groups)
    devices += group.nodes * group.devices_per_node;
  return devices;
}

NodeId node_of(const Cluster& cluster, DeviceId device) {
  int first_device = 0;
  int first_node = 0;
  for (const NodeGroup& group : cluster.groups) {
    const int devices = group.nodes * group.devices_per_node;
    if (device.value() < first_device + devices)
      return NodeId(first_node + (device.value() - first_device) / group.devices_per_node);
    first_device += devices;
    first_node += group.nodes;
  }
  TRAINWRIGHT_EXPECTS(false, "device " + std::to_string(device.value()) + " of " + std::to_string(first_device));
}

int nodes_per_domain(const NodeGroup& group) {
  if (!group.link || group.link->domain_devices <= group.devices_per_node)
    return 1;
  return group.link->domain_devices / group.devices_per_node;
}

LinkDomainId link_domain_of(const Cluster& cluster, DeviceId device) {
  int first_device = 0;
  int first_domain = 0;
  for (const NodeGroup& group : cluster.groups) {
    const int devices = group.nodes * group.devices_per_node;
    const int trays = nodes_per_domain(group);
    if (device.value() < first_device + devices)
      return LinkDomainId(first_domain + (device.value() - first_device) / group.devices_per_node / trays);
    first_device += devices;
    first_domain += (group.nodes + trays - 1) / trays;
  }
  TRAINWRIGHT_EXPECTS(false, "device " + std::to_string(device.value()) + " of " + std::to_string(first_device));
}

const NodeGroup& group_of(const Cluster& cluster, NodeId node) {
  int first_node = 0;
  for (const NodeGroup& group : cluster.groups) {
    if (node.value() < first_node + group.nodes)
      return group;
    first_node += group.nodes;
  }
  TRAINWRIGHT_EXPECTS(false, "node " + std::to_string(node.value()) + " of " + std::to_string(first_node));
}

const Accelerator& accelerator_of(const Cluster& cluster, DeviceId device) {
  return group_of(cluster, node_of(cluster, device)).accelerator;
}

bool is_uniform(const Cluster& cluster) {
  return cluster.groups.size() == 1;
}

Cluster resized(const Cluster& cluster, int devices) {
  TRAINWRIGHT_EXPECTS(is_uniform(cluster), "cluster " + cluster.id);
  Cluster result = cluster;
  NodeGroup& group = result.groups.front();
  group.nodes = (devices + group.devices_per_node - 1) / group.devices_per_node;
  return result;
}

}  // namespace trainwright::model
