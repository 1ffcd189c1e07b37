// The topology graph of a cluster: devices, node switches, adapters, leaf and spine switches, storage, and the directed
// links between them. Routes follow the hierarchy and are computed, not stored, so that 16,384 devices cost no tables.
//
// What is simplified: a mesh or a PCIe tree inside a node is a switch with one port per device; a dragonfly is a
// leaf-spine with its groups as leaves; a torus joins neighboring nodes with links as fast as a node's adapters
// together. docs/models/simulation.md argues each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/id.hpp"
#include "model/hardware/cluster.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

using VertexId = Id<struct VertexTag>;  ///< vertex of the topology graph
using LinkId = Id<struct LinkTag>;      ///< directed link of the topology graph

enum class VertexKind { device, node_switch, adapter, leaf_switch, spine_switch, storage };

enum class WireKind {
  node_port,     ///< device to or from the switch inside its node
  loopback,      ///< between ranks on one device; each flow gets the full rate
  lane,          ///< device to or from the adapters it reaches
  adapter_bank,  ///< all adapters of a node together, where devices share them
  leaf_uplink,   ///< leaf (or rail, or dragonfly group) to or from the spine
  torus_hop,     ///< node to a neighboring node
  storage,       ///< storage of the whole cluster, one link for reads and one for writes
};
[[nodiscard]] std::string_view to_word(WireKind kind);

struct TopologyLink {
  VertexId from;
  VertexId to;
  WireKind kind = WireKind::node_port;
  BytesPerSecond bandwidth = BytesPerSecond::zero();
  Seconds latency = Seconds::zero();
  bool is_shared = true;  ///< flows share the bandwidth; otherwise each of them gets all of it
  bool can_bind = true;   ///< false: the links that feed it are never faster than it, so it slows nobody
};

/// Rates to build the links with, by node group: data-sheet values or what is really reached.
struct TopologyRates {
  std::vector<BytesPerSecond> node_link;  ///< per device and direction
  std::vector<BytesPerSecond> adapter;    ///< per adapter and direction
};
/// The data sheet's rates; zero where a group has no such link.
[[nodiscard]] TopologyRates data_sheet_rates(const Cluster& cluster);

class Topology {
 public:
  /// The cluster as checked by its reader; `rates` has one entry per node group.
  Topology(const Cluster& cluster, const TopologyRates& rates);
  ~Topology();
  Topology(Topology&&) noexcept;
  Topology& operator=(Topology&&) noexcept;

  [[nodiscard]] std::size_t vertex_count() const;
  [[nodiscard]] std::size_t link_count() const;
  [[nodiscard]] VertexKind vertex_kind(VertexId vertex) const;
  [[nodiscard]] VertexId vertex(DeviceId device) const;
  [[nodiscard]] const TopologyLink& link(LinkId link) const;
  /// "node 3 device 5 up", for reports and traces; unique.
  [[nodiscard]] std::string link_name(LinkId link) const;

  /// Links from one device to another, in order; the node's loopback for a device and itself (empty if it has none).
  [[nodiscard]] std::vector<LinkId> route(DeviceId from, DeviceId to) const;
  /// Appends the same to `route`, for loops.
  void append_route(DeviceId from, DeviceId to, std::vector<LinkId>& route) const;
  /// The storage link for reads or writes; empty when the cluster has no storage.
  [[nodiscard]] std::vector<LinkId> storage_route(bool is_write) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trainwright::model
