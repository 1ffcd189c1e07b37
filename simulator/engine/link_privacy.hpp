// Which groups of an axis have their links to themselves. Proved from the routes of everything that is ever sent.
//
// A link belongs to a group if flows of its collectives use it. A group is private if no other group of its axis, no
// message and no other axis uses any of its links, with one exception: collectives of another axis in which a member of
// the group itself takes part. Those begin only when that member gets there, so that the order inside its program tells
// which of the group's collectives cannot run beside them (ItemOptions::disturbing_works).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/hardware/topology.hpp"
#include "simulator/engine/comm_catalog.hpp"

namespace trainwright::simulator {

struct LinkPrivacy {
  std::vector<bool> group_is_private;  ///< by group of the axis
  std::vector<bool> disturbing_works;  ///< by catalog index
};

/// Appends the links that can slow a flow between two devices.
void append_binding_route(const model::Topology& topology, model::DeviceId from, model::DeviceId to,
                          std::vector<model::LinkId>& links);

/// `siblings`: index of the axis in the catalog.
[[nodiscard]] LinkPrivacy prove_privacy(const Scene& scene, const CommCatalog& catalog, int siblings,
                                        const model::Topology& topology);

}  // namespace trainwright::simulator
