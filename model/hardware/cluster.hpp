// A cluster: node groups joined by a fabric, with storage. Plain values checked by model/io/cluster_v1; queries are
// free functions. Devices are numbered node by node, nodes group by group.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/base/id.hpp"
#include "model/hardware/accelerator.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

enum class LinkKind {
  nvlink_switch,  ///< every device at full rate to a switch inside the node (NVSwitch, Infinity Fabric switch)
  nvlink_mesh,    ///< direct links between devices (hybrid cube mesh, Infinity Fabric mesh)
  pcie,           ///< tree of PCI Express bridges
  shared_memory,  ///< ranks on the cores of one machine, through the loopback interface
  infiniband,
  roce,
  ethernet_tcp,
};

inline constexpr std::array<std::pair<std::string_view, LinkKind>, 7> kLinkKindWords{
    {{"nvlink-switch", LinkKind::nvlink_switch},
     {"nvlink-mesh", LinkKind::nvlink_mesh},
     {"pcie", LinkKind::pcie},
     {"shared-memory", LinkKind::shared_memory},
     {"infiniband", LinkKind::infiniband},
     {"roce", LinkKind::roce},
     {"ethernet-tcp", LinkKind::ethernet_tcp}}};

/// Devices inside a node, or inside a domain of several nodes whose devices one switch joins (NVL72: 72 devices on 18
/// trays). `bandwidth` is per device and direction, data-sheet value.
struct NodeLink {
  LinkKind kind = LinkKind::nvlink_switch;
  BytesPerSecond bandwidth = BytesPerSecond::zero();
  int domain_devices = 0;  ///< devices that the link joins, a multiple of those of a node; 0: those of one node
  friend bool operator==(const NodeLink&, const NodeLink&) = default;
};

/// Network adapters of one node. `rate` is per adapter and direction, data-sheet value.
struct NodeNetwork {
  LinkKind kind = LinkKind::infiniband;
  int adapters = 1;
  BytesPerSecond rate = BytesPerSecond::zero();
  Seconds latency = Seconds::zero();  ///< one way, adapter to adapter through one switch
  /// What one adapter was measured to carry in one direction, where that is known to be less than the data sheet and
  /// the efficiency of its kind promise; caps both. Empty: not measured.
  std::optional<BytesPerSecond> measured_rate = {};
  friend bool operator==(const NodeNetwork&, const NodeNetwork&) = default;
};

struct NodeGroup {
  Accelerator accelerator;
  int nodes = 1;
  int devices_per_node = 1;
  bool devices_share_cores = false;  ///< CPU nodes: ranks are processes that share the node's cores
  int cores_per_node = 1;
  ByteCount host_memory;
  std::optional<NodeLink> link;        ///< needed when devices_per_node > 1
  std::optional<NodeNetwork> network;  ///< needed when the cluster has more than one node
  friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};

enum class FabricKind { none, full_bisection, leaf_spine, rail_optimized, dragonfly, torus };

inline constexpr std::array<std::pair<std::string_view, FabricKind>, 6> kFabricKindWords{
    {{"none", FabricKind::none},
     {"full-bisection", FabricKind::full_bisection},
     {"leaf-spine", FabricKind::leaf_spine},
     {"rail-optimized", FabricKind::rail_optimized},
     {"dragonfly", FabricKind::dragonfly},
     {"torus", FabricKind::torus}}};

struct Fabric {
  FabricKind kind = FabricKind::none;
  int nodes_per_leaf = 0;         ///< leaf_spine, rail_optimized; 0: all nodes under one leaf
  double oversubscription = 1.0;  ///< leaf downlink over uplink capacity, >= 1
  friend bool operator==(const Fabric&, const Fabric&) = default;
};

struct Storage {
  BytesPerSecond read_bandwidth = BytesPerSecond::zero();   ///< whole cluster
  BytesPerSecond write_bandwidth = BytesPerSecond::zero();  ///< whole cluster
  Seconds latency = Seconds::zero();
  friend bool operator==(const Storage&, const Storage&) = default;
};

struct Cluster {
  std::string id;
  std::string name;
  std::vector<NodeGroup> groups;
  Fabric fabric;
  std::optional<Storage> storage;
  std::optional<double> price_per_device_hour;
  std::string currency;
  std::vector<SourceNote> sources;
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

/// Devices among which the node link carries everything: those of a node, or of a larger switch domain. Numbered in the
/// order of the nodes; a domain lies in one group.
using LinkDomainId = Id<struct LinkDomainTag>;

[[nodiscard]] int node_count(const Cluster& cluster);
[[nodiscard]] int device_count(const Cluster& cluster);
[[nodiscard]] NodeId node_of(const Cluster& cluster, DeviceId device);
[[nodiscard]] LinkDomainId link_domain_of(const Cluster& cluster, DeviceId device);
/// Nodes of one link domain, at least 1.
[[nodiscard]] int nodes_per_domain(const NodeGroup& group);
[[nodiscard]] const NodeGroup& group_of(const Cluster& cluster, NodeId node);
[[nodiscard]] const Accelerator& accelerator_of(const Cluster& cluster, DeviceId device);
/// All devices equal and all nodes of one shape.
[[nodiscard]] bool is_uniform(const Cluster& cluster);
/// The same cluster with as many nodes as `devices` need (uniform clusters; the last node may be partly used).
[[nodiscard]] Cluster resized(const Cluster& cluster, int devices);

}  // namespace trainwright::model
