// From a topology file of NCCL to facts, findings and a cluster.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "model/io/importers/gpu_catalog.hpp"
#include "model/io/importers/near_adapters.hpp"
#include "model/io/importers/slot_load.hpp"
#include "model/io/importers/text_lines.hpp"
#include "model/io/importers/topology_cluster.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

std::string gpu_name(const NcclTopology& topology, std::size_t gpu) {
  return "GPU" + std::to_string(gpu) + " (" + topology.pci[static_cast<std::size_t>(topology.gpus[gpu].pci)].bus_id +
         ")";
}

Nearness nearness_of(const NcclTopology& topology) {
  Nearness nearness;
  nearness.host_bridge = static_cast<int>(PciDistance::host_bridge);
  for (const TopologyAdapter& adapter : topology.adapters)
    nearness.adapters.push_back(adapter.name);
  for (std::size_t g = 0; g < topology.gpus.size(); ++g) {
    nearness.gpus.push_back(gpu_name(topology, g));
    std::vector<int>& distances = nearness.distance.emplace_back();
    std::vector<std::string>& words = nearness.words.emplace_back();
    for (const TopologyAdapter& adapter : topology.adapters) {
      const PciDistance apart = distance(topology, topology.gpus[g], adapter);
      distances.push_back(static_cast<int>(apart));
      words.emplace_back(to_word(apart));
    }
  }
  return nearness;
}

struct Nvlinks {
  int fewest = 0;  // of a GPU
  bool all_to_switch = false;
  bool joins_all = false;
};

Nvlinks nvlinks_of(const NcclTopology& topology) {
  Nvlinks result;
  result.fewest = std::numeric_limits<int>::max();
  result.all_to_switch = true;
  std::map<std::string, std::size_t> by_bus;
  for (std::size_t g = 0; g < topology.gpus.size(); ++g)
    by_bus[topology.pci[static_cast<std::size_t>(topology.gpus[g].pci)].bus_id] = g;
  std::vector<std::size_t> root(topology.gpus.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t at) {
    while (root[at] != at)
      at = root[at];
    return at;
  };
  for (std::size_t g = 0; g < topology.gpus.size(); ++g) {
    int links = 0;
    for (const TopologyNvlink& link : topology.gpus[g].nvlinks) {
      links += link.count;
      result.all_to_switch = result.all_to_switch && link.to_switch;
      if (const auto peer = by_bus.find(link.target); peer != by_bus.end())
        root[find(g)] = find(peer->second);
    }
    result.fewest = std::min(result.fewest, links);
  }
  result.all_to_switch = result.all_to_switch && result.fewest > 0;
  std::set<std::size_t> parts;
  for (std::size_t g = 0; g < root.size(); ++g)
    parts.insert(find(g));
  result.joins_all = result.fewest > 0 && (result.all_to_switch || parts.size() == 1);
  return result;
}

std::string nvlink_text(const NcclTopology& topology, const Nvlinks& nvlinks) {
  const bool any = std::any_of(topology.gpus.begin(), topology.gpus.end(),
                               [](const TopologyGpu& gpu) { return !gpu.nvlinks.empty(); });
  if (!any)
    return "not in the file";
  if (!nvlinks.joins_all)
    return "between some GPUs only";
  return std::to_string(nvlinks.fewest) + " links a GPU, " +
         (nvlinks.all_to_switch ? "all into NVSwitch" : "directly between GPUs");
}

std::optional<BytesPerSecond> slowest_slot(const NcclTopology& topology) {
  std::optional<BytesPerSecond> slowest;
  for (const TopologyGpu& gpu : topology.gpus) {
    const std::optional<BytesPerSecond>& slot = topology.pci[static_cast<std::size_t>(gpu.pci)].bandwidth;
    if (slot && (!slowest || *slot < *slowest))
      slowest = slot;
  }
  return slowest;
}

std::optional<NodeLink> link_of(const NcclTopology& topology, const Nvlinks& nvlinks, const Accelerator& accelerator,
                                ImportedTopology& result, std::string& source) {
  const std::optional<int> sm = topology.gpus.front().sm;
  const std::optional<BytesPerSecond> rate = sm ? nvlink_rate(*sm) : nvlink_rate(accelerator);
  if (nvlinks.joins_all && rate) {
    source = std::to_string(nvlinks.fewest) + " NVLinks in the topology file at " + format(*rate) +
             " per direction each (" + (sm ? "compute capability " + std::to_string(*sm) : accelerator.name) + ")";
    return NodeLink{nvlinks.all_to_switch ? LinkKind::nvlink_switch : LinkKind::nvlink_mesh,
                    *rate * static_cast<double>(nvlinks.fewest)};
  }
  const bool lists_nvlinks = std::any_of(topology.gpus.begin(), topology.gpus.end(),
                                         [](const TopologyGpu& gpu) { return !gpu.nvlinks.empty(); });
  if (lists_nvlinks)
    result.findings.push_back(
        "NVLink joins only some GPUs: a collective of all of them goes over PCI Express, which the cluster describes");
  if (!lists_nvlinks) {
    if (const std::optional<NodeLink> board = board_link(accelerator)) {
      source = "not in the topology file, which lists no NVLinks: data sheet of " + accelerator.name;
      result.findings.push_back("NVLink is " + source + ", " + format(board->bandwidth) + " per GPU and direction");
      return board;
    }
  }
  if (const std::optional<BytesPerSecond> slot = slowest_slot(topology)) {
    source = "slowest link_speed x link_width of a GPU in the topology file, less the coding";
    return NodeLink{LinkKind::pcie, *slot};
  }
  const std::optional<BytesPerSecond> slot = card_slot(accelerator);
  if (!slot)
    return std::nullopt;
  source = "not in the topology file: PCI Express with 16 lanes of the generation of " + accelerator.name;
  result.findings.push_back("the PCI Express rate is " + source);
  return NodeLink{LinkKind::pcie, *slot};
}

// Adapters that carry traffic of GPUs: those that reach their memory where the file says so of any; of these the rate
// that carries most in all.
std::vector<std::size_t> used_adapters(const NcclTopology& topology, ImportedTopology& result) {
  std::vector<std::size_t> known;
  for (std::size_t a = 0; a < topology.adapters.size(); ++a)
    if (topology.adapters[a].rate)
      known.push_back(a);
  const bool any_direct =
      std::any_of(known.begin(), known.end(), [&](std::size_t a) { return topology.adapters[a].reaches_gpu_memory; });
  std::map<double, std::vector<std::size_t>> by_rate;
  std::vector<std::string> unused;
  for (const std::size_t a : known) {
    if (any_direct && !topology.adapters[a].reaches_gpu_memory)
      unused.push_back(topology.adapters[a].name);
    else
      by_rate[topology.adapters[a].rate->count()].push_back(a);
  }
  std::vector<std::size_t> used;
  double most = 0.0;
  for (const auto& [rate, adapters] : by_rate)
    if (rate * static_cast<double>(adapters.size()) > most) {
      most = rate * static_cast<double>(adapters.size());
      used = adapters;
    }
  for (const auto& [rate, adapters] : by_rate)
    if (adapters != used)
      for (const std::size_t a : adapters)
        unused.push_back(topology.adapters[a].name);
  if (!unused.empty())
    result.findings.push_back(joined(unused) + (unused.size() == 1 ? " is" : " are") +
                              " slower or without a direct way to GPU memory: not counted for GPU traffic");
  return used;
}

std::optional<NodeNetwork> network_of(NcclTopology& topology, const TopologyOptions& options, ImportedTopology& result,
                                      std::string& source) {
  constexpr double kElasticFabric = 12.5e9;
  source = "net elements of the topology file (speed)";
  for (TopologyAdapter& adapter : topology.adapters) {
    if (options.adapter_rate) {
      adapter.rate = options.adapter_rate;
      source = "adapters of the topology file, at the rate of the option --adapter-rate";
      continue;
    }
    const PciElement* place = adapter.pci < 0 ? nullptr : &topology.pci[static_cast<std::size_t>(adapter.pci)];
    // The PCI ID repository: the first Elastic Fabric Adapter of Amazon; 100 Gbit/s, AWS documentation of P4d.
    if (!adapter.rate && place != nullptr && place->vendor == "0x1d0f" && place->device == "0xefa0") {
      adapter.rate = BytesPerSecond(kElasticFabric);
      source = "not in the topology file: PCI device 1d0f:efa0 is an Elastic Fabric Adapter of 100 Gbit/s (AWS, P4d)";
    }
  }
  const std::vector<std::size_t> used = used_adapters(topology, result);
  if (used.empty()) {
    if (!topology.adapters.empty())
      result.findings.push_back(
          "the rate of the adapters is not in the file: the cluster has no network; add "
          "--adapter-rate, for example \"200 Gbit/s\"");
    return std::nullopt;
  }
  const SlotLoad load = slot_load(topology, used);
  for (const NarrowSlot& slot : load.narrow)
    result.findings.push_back(text_of(slot));
  double total = 0.0;
  for (const BytesPerSecond reached : load.reached)
    total += reached.count();
  if (!load.narrow.empty())
    source += ", less what PCI links do not carry";
  const TopologyAdapter& first = topology.adapters[used.front()];
  NodeNetwork network;
  network.kind = first.is_infiniband                                ? LinkKind::infiniband
                 : first.reaches_gpu_memory || first.is_rdma_vendor ? LinkKind::roce
                                                                    : LinkKind::ethernet_tcp;
  network.adapters = static_cast<int>(used.size());
  network.rate = BytesPerSecond(total / static_cast<double>(used.size()));
  network.latency = network.kind == LinkKind::ethernet_tcp ? Seconds(25e-6) : Seconds(2e-6);
  return network;
}

std::optional<std::string> accelerator_of_file(const NcclTopology& topology) {
  const PciElement& first = topology.pci[static_cast<std::size_t>(topology.gpus.front().pci)];
  return accelerator_of_pci_device(first.vendor, first.device);
}

std::string gpu_text(const NcclTopology& topology, const std::optional<std::string>& accelerator) {
  std::string text = std::to_string(topology.gpus.size());
  if (accelerator)
    text += " x " + *accelerator;
  if (topology.gpus.front().sm)
    text += ", compute capability " + std::to_string(*topology.gpus.front().sm);
  return text;
}

}  // namespace

ImportedTopology import_topology(const NcclTopology& file, const TopologyOptions& options, const std::string& id,
                                 Diagnostics& diagnostics) {
  ImportedTopology result;
  NcclTopology topology = file;
  const Nvlinks nvlinks = nvlinks_of(topology);
  const Nearness nearness = nearness_of(topology);
  const std::optional<std::string> named = accelerator_of_file(topology);
  std::optional<int> threads = 0;
  for (const TopologyProcessor& cpu : topology.cpus)
    threads = threads && cpu.threads ? std::optional<int>(*threads + *cpu.threads) : std::nullopt;
  result.facts.emplace_back("processors", std::to_string(topology.cpus.size()) +
                                              (threads ? ", " + std::to_string(*threads) + " hardware threads" : ""));
  result.facts.emplace_back("GPUs", gpu_text(topology, named));
  result.facts.emplace_back("NVLink", nvlink_text(topology, nvlinks));
  const std::optional<BytesPerSecond> slot = slowest_slot(topology);
  result.facts.emplace_back("PCI link of a GPU", slot ? format(*slot) + " per direction" : "not in the file");
  result.facts.emplace_back("adapters", std::to_string(topology.adapters.size()));
  result.findings = uneven_adapters(nearness);

  NodeFacts facts;
  facts.origin = "NCCL topology file";
  facts.gpus = static_cast<int>(topology.gpus.size());
  facts.threads = threads;
  facts.network = network_of(topology, options, result, facts.network_source);
  if (facts.network)
    result.facts.emplace_back(
        "network", std::to_string(facts.network->adapters) + " x " + format(facts.network->rate) + " per direction");
  for (const std::string& line : rail_lines(nearness))
    result.facts.emplace_back("near", line);

  const std::optional<Accelerator> accelerator = imported_accelerator(options, named, result, diagnostics);
  if (!accelerator)
    return result;
  if (facts.gpus > 1)
    facts.link = link_of(topology, nvlinks, *accelerator, result, facts.link_source);
  make_cluster(facts, *accelerator, options, id, result);
  return result;
}

}  // namespace trainwright::model
