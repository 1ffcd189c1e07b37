// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/platform_builder.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include "model/base/contract.hpp"
#include "simulator/engine/link_privacy.hpp"

namespace trainwright::simulator {
namespace {

namespace routing = simgrid::kernel::routing;
using simgrid::s4u::Host;
using simgrid::s4u::Link;

constexpr int kNoDevice = -1;
constexpr int kStorage = -2;

// A zone whose routes are computed by the topology when a flow starts: no tables, whatever the size.
class TopologyZone final : public routing::NetZoneImpl {
 public:
  explicit TopologyZone(const model::Topology& topology)
      : NetZoneImpl("cluster"), topology_(topology), link_of_(topology.link_count(), nullptr) {}

  Host* add_host(const std::string& name, int device) {
    Host* host = create_host(name, std::vector<double>{1.0});
    device_of_point_.resize(std::max<std::size_t>(device_of_point_.size(), host->get_netpoint()->id() + 1), kNoDevice);
    device_of_point_[host->get_netpoint()->id()] = device;
    return host;
  }

  void add_links() {
    for (std::size_t l = 0; l < link_of_.size(); ++l) {
      const model::LinkId id(l);
      const model::TopologyLink& link = topology_.link(id);
      if (!link.can_bind)
        continue;
      TRAINWRIGHT_EXPECTS(link.bandwidth.count() > 0.0, topology_.link_name(id) + " has no bandwidth");
      Link* made = create_link(topology_.link_name(id), std::vector<double>{link.bandwidth.count() * kBytesScale});
      made->set_latency(0.0);
      if (!link.is_shared)
        made->set_sharing_policy(Link::SharingPolicy::FATPIPE);
      made->seal();
      link_of_[l] = made;
    }
  }

 private:
  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double*) override {
    const int source = device_of_point_[from->id()];
    const int target = device_of_point_[to->id()];
    links_.clear();
    if (source == kStorage || target == kStorage)
      links_ = topology_.storage_route(target == kStorage);
    else
      append_binding_route(topology_, model::DeviceId(source), model::DeviceId(target), links_);
    for (const model::LinkId link : links_)
      route->link_list_.push_back(link_of_[link.index()]->get_impl());
  }

  const model::Topology& topology_;
  std::vector<Link*> link_of_;
  std::vector<int> device_of_point_;
  std::vector<model::LinkId> links_;
};

}  // namespace

struct Platform::Impl {
  std::map<model::DeviceId, Host*> devices;
  std::map<model::DeviceId, Host*> cores;  // by device; shared by those of a node
  Host* storage = nullptr;
  Host* home = nullptr;
};

Platform::Platform(const model::Topology& topology, const model::Cluster& cluster,
                   const std::vector<model::DeviceId>& devices)
    : impl_(std::make_unique<Impl>()) {
  auto* zone = new TopologyZone(topology);  // the engine owns the root zone
  impl_->home = zone->add_host("home", kNoDevice);
  std::map<model::NodeId, Host*> core_hosts;
  for (const model::DeviceId device : std::set<model::DeviceId>(devices.begin(), devices.end())) {
    Host* host = zone->add_host("device " + std::to_string(device.value()), device.value());
    host->seal();
    impl_->devices[device] = host;
    const model::NodeId node = model::node_of(cluster, device);
    const model::NodeGroup& group = model::group_of(cluster, node);
    if (!group.devices_share_cores)
      continue;
    Host*& cores = core_hosts[node];
    if (cores == nullptr) {
      cores = zone->add_host("cores of node " + std::to_string(node.value()), kNoDevice);
      cores->set_core_count(group.cores_per_node);
      cores->seal();
    }
    impl_->cores[device] = cores;
  }
  if (cluster.storage) {
    impl_->storage = zone->add_host("storage", kStorage);
    impl_->storage->seal();
  }
  impl_->home->seal();
  zone->add_links();
  zone->seal();
}

Platform::~Platform() = default;

Host* Platform::device_host(model::DeviceId device) const {
  const auto found = impl_->devices.find(device);
  TRAINWRIGHT_EXPECTS(found != impl_->devices.end(), "device " + std::to_string(device.value()) + " has no host");
  return found->second;
}

Host* Platform::core_host(model::DeviceId device) const {
  const auto found = impl_->cores.find(device);
  return found == impl_->cores.end() ? nullptr : found->second;
}

Host* Platform::storage_host() const {
  return impl_->storage;
}
Host* Platform::home() const {
  return impl_->home;
}

}  // namespace trainwright::simulator
