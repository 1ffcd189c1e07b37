// How much the middle of a cluster carries: the largest flow between its halves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/hardware/topology.hpp"

namespace trainwright::model {

/// Largest flow from the devices of the first half of the nodes to those of the second half (the last of an odd number
/// of nodes stays out); zero for one node. `topology` must be that of the cluster.
[[nodiscard]] BytesPerSecond bisection_bandwidth(const Topology& topology, const Cluster& cluster);

}  // namespace trainwright::model
