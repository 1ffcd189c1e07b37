// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/slot_load.hpp"

#include <algorithm>
#include <set>

#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

// NCCL counts 24 GB/s for 16 lanes of generation 4, whose coding leaves 31.5 (nccl/src/graph/topo.h).
constexpr double kNcclShareOfSlot = 24.0 / 31.5;

// Elements whose own upward link lies between an adapter and a GPU: up from both to the bridge they share, or to the
// processors.
std::vector<int> links_between(const NcclTopology& topology, int adapter, int gpu) {
  std::vector<int> from_adapter;
  std::vector<int> from_gpu;
  const auto climb = [&](int pci, std::vector<int>& chain) {
    for (; pci >= 0; pci = topology.pci[static_cast<std::size_t>(pci)].parent)
      chain.push_back(pci);
  };
  climb(adapter, from_adapter);
  climb(gpu, from_gpu);
  // Common bridges and what is above them are not on the way.
  while (!from_adapter.empty() && !from_gpu.empty() && from_adapter.back() == from_gpu.back()) {
    from_adapter.pop_back();
    from_gpu.pop_back();
  }
  from_adapter.insert(from_adapter.end(), from_gpu.begin(), from_gpu.end());
  return from_adapter;
}

std::vector<int> nearest_gpus(const NcclTopology& topology, const TopologyAdapter& adapter) {
  std::vector<int> nearest;
  PciDistance least = PciDistance::sockets;
  for (const TopologyGpu& gpu : topology.gpus)
    least = std::min(least, distance(topology, gpu, adapter));
  for (const TopologyGpu& gpu : topology.gpus)
    if (distance(topology, gpu, adapter) == least)
      nearest.push_back(gpu.pci);
  return nearest;
}

}  // namespace

SlotLoad slot_load(const NcclTopology& topology, const std::vector<std::size_t>& adapters) {
  struct Use {
    double load = 0.0;
    std::set<std::size_t> adapters;
  };
  std::vector<Use> uses(topology.pci.size());
  std::vector<std::set<int>> links(adapters.size());
  for (std::size_t a = 0; a < adapters.size(); ++a) {
    const TopologyAdapter& adapter = topology.adapters[adapters[a]];
    const std::vector<int> gpus = nearest_gpus(topology, adapter);
    for (const int gpu : gpus)
      for (const int link : links_between(topology, adapter.pci, gpu)) {
        uses[static_cast<std::size_t>(link)].load += adapter.rate->count() / static_cast<double>(gpus.size());
        uses[static_cast<std::size_t>(link)].adapters.insert(adapters[a]);
        links[a].insert(link);
      }
  }
  SlotLoad result;
  std::vector<double> left(topology.pci.size(), 1.0);
  for (std::size_t link = 0; link < uses.size(); ++link) {
    const std::optional<BytesPerSecond>& bandwidth = topology.pci[link].bandwidth;
    if (!bandwidth || uses[link].load <= bandwidth->count())
      continue;
    left[link] = bandwidth->count() / uses[link].load;
    NarrowSlot slot{topology.pci[link].bus_id, {}, BytesPerSecond(uses[link].load), *bandwidth};
    for (const std::size_t adapter : uses[link].adapters)
      slot.adapters.push_back(topology.adapters[adapter].name);
    result.narrow.push_back(std::move(slot));
  }
  for (std::size_t a = 0; a < adapters.size(); ++a) {
    double least = 1.0;
    for (const int link : links[a])
      least = std::min(least, left[static_cast<std::size_t>(link)]);
    result.reached.push_back(*topology.adapters[adapters[a]].rate * least);
  }
  return result;
}

std::string text_of(const NarrowSlot& slot) {
  std::string names;
  for (const std::string& name : slot.adapters)
    names += (names.empty() ? "" : ", ") + name;
  const double one = slot.wanted.count() / static_cast<double>(std::max<std::size_t>(1, slot.adapters.size()));
  std::string text = "the PCI link of " + slot.bus_id + " carries " + format(slot.carried) + ", its adapters (" +
                     names + ") want " + format(slot.wanted) + ": together they reach " + format(slot.carried);
  if (slot.adapters.size() > 1 && one >= kNcclShareOfSlot * slot.carried.count())
    text += "; one adapter saturates it as NCCL counts slots, which may then use only one of them";
  return text;
}

}  // namespace trainwright::model
