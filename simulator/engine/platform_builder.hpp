// The topology as SimGrid sees it: a host for each device, a host with the cores of each node that shares them, a host
// for storage, and one zone whose routes are the topology's own. Numbers only, never strings with units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/hardware/topology.hpp"

namespace simgrid::s4u {
class Host;
}

namespace trainwright::simulator {

/// SimGrid takes message sizes as whole numbers. Sizes and bandwidths are both multiplied by this, so that rounding a
/// size costs a thousandth of a byte.
inline constexpr double kBytesScale = 1024.0;

class Platform {
 public:
  /// Builds hosts for `devices` only (all routes between them exist). `topology` must outlive the simulation. An engine
  /// session must exist.
  Platform(const model::Topology& topology, const model::Cluster& cluster, const std::vector<model::DeviceId>& devices);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  /// Speed 1, so that a second of work takes a second.
  [[nodiscard]] simgrid::s4u::Host* device_host(model::DeviceId device) const;
  /// All cores of the device's node, each of speed 1; null unless its devices share cores.
  [[nodiscard]] simgrid::s4u::Host* core_host(model::DeviceId device) const;
  /// Null if the cluster has no storage.
  [[nodiscard]] simgrid::s4u::Host* storage_host() const;
  /// Where actors live that are nowhere in particular.
  [[nodiscard]] simgrid::s4u::Host* home() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trainwright::simulator
