// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/topology.hpp"

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <optional>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexKind, std::size_t>;

// A pair of directed links.
struct Duplex {
  LinkId up = LinkId(-1);
  LinkId down = LinkId(-1);
  [[nodiscard]] bool exists() const { return up.value() >= 0; }
};

struct NodeWires {
  int first_device = 0;
  int devices = 1;
  std::vector<Duplex> ports;  // by device of the node
  std::vector<Duplex> lanes;  // by device of the node
  Duplex bank;
  LinkId loopback = LinkId(-1);
};

// A box of n nodes with sides as equal as they can be.
std::array<int, 3> torus_sides(int nodes) {
  std::array<int, 3> best{1, 1, nodes};
  for (int a = 1; a * a * a <= nodes; ++a) {
    if (nodes % a != 0)
      continue;
    for (int b = a; a * b * b <= nodes; ++b)
      if (nodes / a % b == 0)
        best = {a, b, nodes / a / b};
  }
  return best;
}

}  // namespace

struct Topology::Impl {
  Graph graph;
  std::vector<TopologyLink> links;
  std::vector<std::string> names;
  std::vector<VertexId> device_vertex;
  std::vector<int> node_of_device;
  std::vector<LinkDomainId> domain_of_device;
  std::vector<NodeWires> nodes;
  std::vector<Duplex> leaf_uplinks;                // by leaf; none exist where one leaf holds all
  std::vector<std::array<Duplex, 3>> torus_links;  // by node: to its next neighbor in each dimension
  std::optional<Duplex> storage;                   // up: writes, down: reads
  FabricKind fabric = FabricKind::none;
  int nodes_per_leaf = 0;
  int rails = 1;
  std::array<int, 3> torus{1, 1, 1};

  VertexId add_vertex(VertexKind kind) {
    const std::size_t vertex = boost::add_vertex(graph);
    graph[vertex] = kind;
    return VertexId(vertex);
  }

  LinkId add_link(TopologyLink link, std::string name) {
    const LinkId id(links.size());
    boost::add_edge(link.from.index(), link.to.index(), id.index(), graph);
    links.push_back(link);
    names.push_back(std::move(name));
    return id;
  }

  Duplex add_duplex(VertexId low, VertexId high, WireKind kind, BytesPerSecond bandwidth, Seconds latency,
                    bool can_bind, const std::string& name) {
    return {add_link({low, high, kind, bandwidth, latency, true, can_bind}, name + " up"),
            add_link({high, low, kind, bandwidth, latency, true, can_bind}, name + " down")};
  }

  [[nodiscard]] int leaf_of(int node, int device) const {
    const int block = node / nodes_per_leaf;
    return fabric == FabricKind::rail_optimized ? block * rails + device : block;
  }
  void build(const Cluster& cluster, const TopologyRates& rates);
  void build_node(const NodeGroup& group, VertexId hub, BytesPerSecond link_rate, BytesPerSecond adapter_rate,
                  bool has_fabric);
  void build_leaves(const Cluster& cluster, const TopologyRates& rates);
  void build_torus(const Cluster& cluster, const TopologyRates& rates);
  void route_torus(int from, int to, std::vector<LinkId>& route) const;
  void route_between_nodes(int from_node, int from_device, int to_node, int to_device,
                           std::vector<LinkId>& route) const;
};

void Topology::Impl::build_node(const NodeGroup& group, VertexId hub, BytesPerSecond link_rate,
                                BytesPerSecond adapter_rate, bool has_fabric) {
  NodeWires node;
  const std::string name = "node " + std::to_string(nodes.size());
  node.first_device = static_cast<int>(device_vertex.size());
  node.devices = group.devices_per_node;
  for (int d = 0; d < group.devices_per_node; ++d) {
    const VertexId device = add_vertex(VertexKind::device);
    device_vertex.push_back(device);
    node_of_device.push_back(static_cast<int>(nodes.size()));
    const std::string device_name = name + " device " + std::to_string(d);
    if (group.link && group.devices_per_node * nodes_per_domain(group) > 1)
      node.ports.push_back(add_duplex(device, hub, WireKind::node_port, link_rate, Seconds::zero(), true, device_name));
  }
  if (group.link)
    node.loopback =
        add_link({hub, hub, WireKind::loopback, link_rate, Seconds::zero(), false, true}, name + " loopback");
  if (has_fabric && group.network) {
    // A device reaches its share of the adapters, but at least one of them; fewer adapters than devices are shared.
    const double reached = std::max(1.0, static_cast<double>(group.network->adapters) / group.devices_per_node);
    const bool is_bank = group.network->adapters < group.devices_per_node;
    const Seconds latency = group.network->latency * 0.5;
    const VertexId bank = is_bank ? add_vertex(VertexKind::adapter) : hub;
    for (int d = 0; d < group.devices_per_node; ++d) {
      const VertexId device = device_vertex[static_cast<std::size_t>(node.first_device + d)];
      const VertexId high = is_bank ? bank : add_vertex(VertexKind::adapter);
      node.lanes.push_back(add_duplex(device, high, WireKind::lane, adapter_rate * reached, latency, true,
                                      name + " lane " + std::to_string(d)));
    }
    if (is_bank) {
      const VertexId outlet = add_vertex(VertexKind::adapter);
      node.bank =
          add_duplex(bank, outlet, WireKind::adapter_bank, adapter_rate * static_cast<double>(group.network->adapters),
                     Seconds::zero(), true, name + " adapters");
    }
  }
  nodes.push_back(std::move(node));
}

void Topology::Impl::build(const Cluster& cluster, const TopologyRates& rates) {
  TRAINWRIGHT_EXPECTS(rates.node_link.size() == cluster.groups.size() && rates.adapter.size() == cluster.groups.size(),
                      std::to_string(cluster.groups.size()) + " node groups");
  const int node_total = node_count(cluster);
  VertexId hub = VertexId(-1);
  for (std::size_t g = 0; g < cluster.groups.size(); ++g)
    for (int n = 0; n < cluster.groups[g].nodes; ++n) {
      // The switch of a link domain: the first of its nodes brings it along.
      if (n % nodes_per_domain(cluster.groups[g]) == 0)
        hub = add_vertex(VertexKind::node_switch);
      build_node(cluster.groups[g], hub, rates.node_link[g], rates.adapter[g], node_total > 1);
    }
  for (std::size_t d = 0; d < device_vertex.size(); ++d)
    domain_of_device.push_back(link_domain_of(cluster, DeviceId(d)));
  fabric = cluster.fabric.kind;
  nodes_per_leaf = cluster.fabric.nodes_per_leaf > 0 ? cluster.fabric.nodes_per_leaf : node_total;
  // Rails need an adapter for each device; fewer adapters make one leaf of a block.
  const bool has_rails = std::all_of(cluster.groups.begin(), cluster.groups.end(), [](const NodeGroup& group) {
    return group.network && group.network->adapters >= group.devices_per_node;
  });
  if (fabric == FabricKind::rail_optimized && !has_rails)
    fabric = FabricKind::leaf_spine;
  for (const NodeGroup& group : cluster.groups)
    rails = std::max(rails, group.devices_per_node);
  if (fabric == FabricKind::torus && node_total > 1)
    build_torus(cluster, rates);
  else if (node_total > 1)
    build_leaves(cluster, rates);
  if (cluster.storage) {
    const VertexId store = add_vertex(VertexKind::storage);
    const VertexId door = add_vertex(VertexKind::storage);
    const Seconds latency = cluster.storage->latency;
    storage =
        Duplex{add_link({door, store, WireKind::storage, cluster.storage->write_bandwidth, latency}, "storage write"),
               add_link({store, door, WireKind::storage, cluster.storage->read_bandwidth, latency}, "storage read")};
  }
}

// Adapters hang on leaves, leaves on one spine. An uplink binds only where it is oversubscribed.
void Topology::Impl::build_leaves(const Cluster& cluster, const TopologyRates& rates) {
  const bool is_flat = fabric == FabricKind::none || fabric == FabricKind::full_bisection;
  const int blocks = is_flat ? 1 : (static_cast<int>(nodes.size()) + nodes_per_leaf - 1) / nodes_per_leaf;
  const int leaves = fabric == FabricKind::rail_optimized ? blocks * rails : blocks;
  if (is_flat)
    nodes_per_leaf = static_cast<int>(nodes.size());
  std::vector<VertexId> leaf_vertex;
  std::vector<double> capacity(static_cast<std::size_t>(leaves), 0.0);
  for (int l = 0; l < leaves; ++l)
    leaf_vertex.push_back(add_vertex(VertexKind::leaf_switch));
  std::size_t n = 0;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g)
    for (int i = 0; i < cluster.groups[g].nodes; ++i, ++n) {
      if (!cluster.groups[g].network)
        continue;
      const NodeWires& node = nodes[n];
      const double total = rates.adapter[g].count() * cluster.groups[g].network->adapters;
      for (int d = 0; d < node.devices; ++d) {
        const auto leaf = static_cast<std::size_t>(leaf_of(static_cast<int>(n), d));
        capacity[leaf] += total / node.devices;
        if (node.bank.exists() && d > 0)
          continue;
        // The cable between adapter and leaf is as fast as the adapter itself and carries nothing else.
        const Duplex& adapter = node.bank.exists() ? node.bank : node.lanes[static_cast<std::size_t>(d)];
        add_duplex(links[adapter.up.index()].to, leaf_vertex[leaf], WireKind::lane, links[adapter.up.index()].bandwidth,
                   Seconds::zero(), false, "node " + std::to_string(n) + " cable " + std::to_string(d));
      }
    }
  if (leaves == 1)
    return;
  const VertexId spine = add_vertex(VertexKind::spine_switch);
  const bool can_bind = cluster.fabric.oversubscription > 1.0;
  for (int l = 0; l < leaves; ++l) {
    const auto leaf = static_cast<std::size_t>(l);
    leaf_uplinks.push_back(add_duplex(leaf_vertex[leaf], spine, WireKind::leaf_uplink,
                                      BytesPerSecond(capacity[leaf] / cluster.fabric.oversubscription), Seconds::zero(),
                                      can_bind, "leaf " + std::to_string(l)));
  }
}

void Topology::Impl::build_torus(const Cluster& cluster, const TopologyRates& rates) {
  torus = torus_sides(static_cast<int>(nodes.size()));
  std::vector<VertexId> doors;
  std::vector<double> capacity;
  std::size_t n = 0;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g)
    for (int i = 0; i < cluster.groups[g].nodes; ++i, ++n) {
      const VertexId door = add_vertex(VertexKind::leaf_switch);
      doors.push_back(door);
      capacity.push_back(cluster.groups[g].network ? rates.adapter[g].count() * cluster.groups[g].network->adapters
                                                   : 0.0);
      const NodeWires& node = nodes[n];
      for (std::size_t d = 0; d < (node.bank.exists() ? 1 : node.lanes.size()); ++d) {
        const Duplex& adapter = node.bank.exists() ? node.bank : node.lanes[d];
        add_duplex(links[adapter.up.index()].to, door, WireKind::lane, links[adapter.up.index()].bandwidth,
                   Seconds::zero(), false, "node " + std::to_string(n) + " cable " + std::to_string(d));
      }
    }
  torus_links.resize(nodes.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    std::size_t stride = 1;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const auto side = static_cast<std::size_t>(torus[dim]);
      if (side > 1) {
        const std::size_t place = node / stride % side;
        const std::size_t next = node - place * stride + (place + 1) % side * stride;
        torus_links[node][dim] = add_duplex(doors[node], doors[next], WireKind::torus_hop,
                                            BytesPerSecond(std::min(capacity[node], capacity[next])), Seconds::zero(),
                                            true, "node " + std::to_string(node) + " hop " + std::to_string(dim));
      }
      stride *= side;
    }
  }
}

// Dimension by dimension, the shorter way round; ties go up.
void Topology::Impl::route_torus(int from, int to, std::vector<LinkId>& route) const {
  int at = from;
  int stride = 1;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    const int side = torus[dim];
    const int target = to / stride % side;
    for (int place = at / stride % side; place != target;) {
      const int up_steps = (target - place + side) % side;
      const bool goes_up = up_steps * 2 <= side;
      const int next_place = (place + (goes_up ? 1 : side - 1)) % side;
      const int next = at + (next_place - place) * stride;
      route.push_back(goes_up ? torus_links[static_cast<std::size_t>(at)][dim].up
                              : torus_links[static_cast<std::size_t>(next)][dim].down);
      at = next;
      place = next_place;
    }
    stride *= side;
  }
}

void Topology::Impl::route_between_nodes(int from_node, int from_device, int to_node, int to_device,
                                         std::vector<LinkId>& route) const {
  const NodeWires& source = nodes[static_cast<std::size_t>(from_node)];
  const NodeWires& target = nodes[static_cast<std::size_t>(to_node)];
  TRAINWRIGHT_EXPECTS(!source.lanes.empty() && !target.lanes.empty(),
                      "no network between node " + std::to_string(from_node) + " and " + std::to_string(to_node));
  route.push_back(source.lanes[static_cast<std::size_t>(from_device)].up);
  if (source.bank.exists())
    route.push_back(source.bank.up);
  if (!torus_links.empty()) {
    route_torus(from_node, to_node, route);
  } else if (!leaf_uplinks.empty()) {
    const int from_leaf = leaf_of(from_node, from_device);
    const int to_leaf = leaf_of(to_node, to_device);
    if (from_leaf != to_leaf) {
      route.push_back(leaf_uplinks[static_cast<std::size_t>(from_leaf)].up);
      route.push_back(leaf_uplinks[static_cast<std::size_t>(to_leaf)].down);
    }
  }
  if (target.bank.exists())
    route.push_back(target.bank.down);
  route.push_back(target.lanes[static_cast<std::size_t>(to_device)].down);
}

Topology::Topology(const Cluster& cluster, const TopologyRates& rates) : impl_(std::make_unique<Impl>()) {
  impl_->build(cluster, rates);
}
Topology::~Topology() = default;
Topology::Topology(Topology&&) noexcept = default;
Topology& Topology::operator=(Topology&&) noexcept = default;

std::size_t Topology::vertex_count() const {
  return boost::num_vertices(impl_->graph);
}
std::size_t Topology::link_count() const {
  return impl_->links.size();
}
VertexKind Topology::vertex_kind(VertexId vertex) const {
  return impl_->graph[vertex.index()];
}
VertexId Topology::vertex(DeviceId device) const {
  return impl_->device_vertex[device.index()];
}
const TopologyLink& Topology::link(LinkId link) const {
  return impl_->links[link.index()];
}
std::string Topology::link_name(LinkId link) const {
  return impl_->names[link.index()];
}

std::vector<LinkId> Topology::route(DeviceId from, DeviceId to) const {
  std::vector<LinkId> links;
  append_route(from, to, links);
  return links;
}

void Topology::append_route(DeviceId from, DeviceId to, std::vector<LinkId>& route) const {
  const int from_node = impl_->node_of_device[from.index()];
  const int to_node = impl_->node_of_device[to.index()];
  const NodeWires& source = impl_->nodes[static_cast<std::size_t>(from_node)];
  const int from_device = from.value() - source.first_device;
  if (from == to) {
    if (source.loopback.value() >= 0)
      route.push_back(source.loopback);
    return;
  }
  const NodeWires& target = impl_->nodes[static_cast<std::size_t>(to_node)];
  const int to_device = to.value() - target.first_device;
  if (impl_->domain_of_device[from.index()] == impl_->domain_of_device[to.index()]) {
    TRAINWRIGHT_EXPECTS(!source.ports.empty(), "node " + std::to_string(from_node) + " has no link between devices");
    route.push_back(source.ports[static_cast<std::size_t>(from_device)].up);
    route.push_back(target.ports[static_cast<std::size_t>(to_device)].down);
    return;
  }
  impl_->route_between_nodes(from_node, from_device, to_node, to_device, route);
}

std::vector<LinkId> Topology::storage_route(bool is_write) const {
  if (!impl_->storage)
    return {};
  return {is_write ? impl_->storage->up : impl_->storage->down};
}

}  // namespace trainwright::model
