// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/ring_load.hpp"

#include <algorithm>
#include <map>

namespace trainwright::model {

std::vector<RingLink> ring_load(const Topology& topology, const Cluster& cluster) {
  const int nodes = node_count(cluster);
  if (nodes < 2)
    return {};
  const int devices = cluster.groups.front().devices_per_node;
  std::map<LinkId, int> rings;
  for (int node = 0; node < nodes; ++node)
    for (int d = 0; d < devices; ++d)
      for (const LinkId link : topology.route(DeviceId(node * devices + d), DeviceId((node + 1) % nodes * devices + d)))
        ++rings[link];
  std::vector<RingLink> list;
  constexpr double kGigabyte = 1e9;
  for (const auto& [link, count] : rings)
    list.push_back({link, count, Bytes(kGigabyte * count) / topology.link(link).bandwidth});
  std::stable_sort(list.begin(), list.end(),
                   [](const RingLink& a, const RingLink& b) { return a.per_gigabyte > b.per_gigabyte; });
  return list;
}

}  // namespace trainwright::model
