// Which links the rings of a collective over all nodes cross, and which of them is the slowest: device d of each node
// to device d of the next, as many rings as a node has devices, all at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/hardware/topology.hpp"

namespace trainwright::model {

struct RingLink {
  LinkId link = LinkId(0);
  int rings = 0;                           ///< that cross it
  Seconds per_gigabyte = Seconds::zero();  ///< time of the link for 1 GB sent by every ring
};

/// Links that rings cross between nodes, slowest first; empty for one node. `topology` must be that of the cluster.
[[nodiscard]] std::vector<RingLink> ring_load(const Topology& topology, const Cluster& cluster);

}  // namespace trainwright::model
