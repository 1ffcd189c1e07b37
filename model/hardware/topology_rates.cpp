// Words for kinds of wire, and the rates that data sheets promise.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "model/hardware/topology.hpp"

namespace trainwright::model {

std::string_view to_word(WireKind kind) {
  constexpr std::array<std::string_view, 7> kWords{"node port",   "loopback",  "lane",   "adapters",
                                                   "leaf uplink", "torus hop", "storage"};
  return kWords[static_cast<std::size_t>(kind)];
}

TopologyRates data_sheet_rates(const Cluster& cluster) {
  TopologyRates rates;
  for (const NodeGroup& group : cluster.groups) {
    rates.node_link.push_back(group.link ? group.link->bandwidth : BytesPerSecond::zero());
    rates.adapter.push_back(group.network ? group.network->rate : BytesPerSecond::zero());
  }
  return rates;
}

}  // namespace trainwright::model
