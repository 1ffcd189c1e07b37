// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/nccl_topology.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <pugixml.hpp>

namespace trainwright::model {
namespace {

// NCCL_TOPO_XML of a large machine is below a megabyte; nesting beyond this is no PCI tree.
constexpr int kMaxDepth = 32;

// PCI classes: https://pcisig.com/sites/default/files/files/PCI_Code-ID_r_1_11__v24_Jan_2019.pdf
constexpr std::string_view kClassBridge = "0x0604";
constexpr std::array<std::string_view, 3> kClassesGpu{"0x0302", "0x0300", "0x1200"};
constexpr std::string_view kClassInfiniband = "0x0207";
constexpr std::array<std::string_view, 2> kClassesAdapter{"0x0200", kClassInfiniband};
constexpr std::string_view kClassNvswitch = "0x0680";

template <class Number>
std::optional<Number> whole_number(std::string_view text, int base = 10) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// "00000000,000000ff,ffffffff": hexadecimal words of a processor mask.
std::optional<int> threads_of_mask(std::string_view mask) {
  int threads = 0;
  while (!mask.empty()) {
    const std::size_t comma = std::min(mask.find(','), mask.size());
    const std::optional<std::uint64_t> word = whole_number<std::uint64_t>(mask.substr(0, comma), 16);
    if (!word)
      return std::nullopt;
    threads += std::popcount(*word);
    mask.remove_prefix(std::min(comma + 1, mask.size()));
  }
  return threads > 0 ? std::optional<int>(threads) : std::nullopt;
}

// "16 GT/s" or "32.0 GT/s PCIe", and lanes. Generations 1 and 2 lose 2 of 10 bits to coding, later ones 2 of 130
// (PCI Express base specification).
std::optional<BytesPerSecond> pci_bandwidth(std::string_view speed, std::string_view width) {
  double transfers = 0.0;
  const auto [end, problem] = std::from_chars(speed.data(), speed.data() + speed.size(), transfers);
  const std::optional<int> lanes = whole_number<int>(width);
  if (problem != std::errc() || !std::string_view(end).starts_with(" GT/s") || !lanes || *lanes < 1 ||
      !(transfers > 0.0) || transfers > 1000.0)
    return std::nullopt;
  const double coding = transfers <= 5.0 ? 8.0 / 10.0 : 128.0 / 130.0;
  return BytesPerSecond(transfers * 1e9 * *lanes * coding / 8.0);
}

bool starts_with_any(std::string_view text, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

class Reader {
 public:
  Reader(const std::string& source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::optional<NcclTopology> read(std::string_view text) {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
    if (!parsed) {
      error("", std::string("is not XML: ") + parsed.description() + " at byte " + std::to_string(parsed.offset));
      return std::nullopt;
    }
    const pugi::xml_node root = document.document_element();
    if (std::string_view(root.name()) == "graphs") {
      error("/graphs", "is a graph file of NCCL (NCCL_GRAPH_DUMP_FILE): its search result, not the machine",
            "let NCCL write the machine with NCCL_TOPO_DUMP_FILE=topo.xml");
      return std::nullopt;
    }
    if (std::string_view(root.name()) != "system") {
      error(std::string("/") + root.name(), "is not the root of a topology file; \"system\" is needed",
            "let NCCL write one with NCCL_TOPO_DUMP_FILE=topo.xml");
      return std::nullopt;
    }
    for (const pugi::xml_node cpu : root.children("cpu"))
      read_cpu(cpu);
    check();
    if (has_errors_)
      return std::nullopt;
    return std::move(topology_);
  }

 private:
  void error(std::string path, std::string message, std::string hint = {}) {
    diagnostics_.add_error(source_, std::move(path), std::move(message), std::move(hint));
    has_errors_ = true;
  }
  void warning(std::string path, std::string message, std::string hint = {}) {
    diagnostics_.add_warning(source_, std::move(path), std::move(message), std::move(hint));
  }

  void read_cpu(pugi::xml_node cpu) {
    TopologyProcessor processor;
    processor.numa_id = cpu.attribute("numaid").as_string();
    const std::string path = "/system/cpu[" + std::to_string(topology_.cpus.size()) + "]";
    processor.threads = threads_of_mask(cpu.attribute("affinity").as_string());
    if (!processor.threads)
      warning(path, cpu.attribute("affinity") ? "affinity is no processor mask" : "affinity is missing",
              "the number of processor cores stays unknown");
    topology_.cpus.push_back(processor);
    const int index = static_cast<int>(topology_.cpus.size()) - 1;
    for (const pugi::xml_node child : cpu.children()) {
      if (std::string_view(child.name()) == "pci")
        read_pci(child, index, -1, 0, path);
      if (std::string_view(child.name()) == "nic")
        read_nic(child, index, -1);
    }
  }

  void read_pci(pugi::xml_node node, int cpu, int parent, int depth, const std::string& parent_path) {
    PciElement element;
    element.bus_id = node.attribute("busid").as_string();
    element.cpu = cpu;
    element.parent = parent;
    element.vendor = node.attribute("vendor").as_string();
    element.device = node.attribute("device").as_string();
    element.bandwidth =
        pci_bandwidth(node.attribute("link_speed").as_string(), node.attribute("link_width").as_string());
    const std::string path = parent_path + "/pci[" + element.bus_id + "]";
    if (depth > kMaxDepth) {
      error(path, "is nested deeper than " + std::to_string(kMaxDepth) + " bridges");
      return;
    }
    const std::string_view pci_class = node.attribute("class").as_string();
    const bool has_gpu = !node.child("gpu").empty();
    const bool has_nic = !node.child("nic").empty();
    if (has_gpu || starts_with_any(pci_class, kClassesGpu))
      element.kind = PciKind::gpu;
    else if (has_nic || starts_with_any(pci_class, kClassesAdapter))
      element.kind = PciKind::adapter;
    else if (!node.child("pci").empty() || pci_class.starts_with(kClassBridge))
      element.kind = PciKind::bridge;
    else if (pci_class.empty())
      without_class_.push_back(element.bus_id);
    topology_.pci.push_back(element);
    if (element.kind == PciKind::adapter && pci_class.starts_with(kClassInfiniband))
      infiniband_.push_back(static_cast<int>(topology_.pci.size()) - 1);
    const int index = static_cast<int>(topology_.pci.size()) - 1;
    if (element.kind == PciKind::gpu)
      read_gpu(node.child("gpu"), index, path);
    if (element.kind == PciKind::adapter && !has_nic)
      topology_.adapters.push_back(adapter_at(element.bus_id, cpu, index));
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) == "pci")
        read_pci(child, cpu, index, depth + 1, path);
      if (std::string_view(child.name()) == "nic")
        read_nic(child, cpu, index);
    }
  }

  void read_gpu(pugi::xml_node node, int pci, const std::string& path) {
    TopologyGpu gpu;
    gpu.pci = pci;
    gpu.sm = whole_number<int>(node.attribute("sm").as_string());
    for (const pugi::xml_node link : node.children("nvlink")) {
      const std::string target = link.attribute("target").as_string();
      const std::optional<int> count = whole_number<int>(link.attribute("count").as_string());
      if (target == topology_.pci[static_cast<std::size_t>(pci)].bus_id) {
        warning(path, "its " + std::to_string(count.value_or(0)) + " NVLinks end at the GPU itself",
                "the machine hides their other ends (virtual machines do); they are not used here");
        continue;
      }
      if (!count || *count < 1) {
        error(path + "/gpu/nvlink",
              "count is \"" + std::string(link.attribute("count").as_string()) + "\"; a number of links is needed");
        continue;
      }
      gpu.nvlinks.push_back(
          {target, *count, std::string_view(link.attribute("tclass").as_string()).starts_with(kClassNvswitch)});
    }
    topology_.gpus.push_back(std::move(gpu));
  }

  [[nodiscard]] TopologyAdapter adapter_at(std::string name, int cpu, int pci) const {
    TopologyAdapter adapter;
    adapter.name = std::move(name);
    adapter.cpu = cpu;
    adapter.pci = pci;
    if (pci >= 0) {
      const std::string& vendor = topology_.pci[static_cast<std::size_t>(pci)].vendor;
      adapter.is_rdma_vendor = vendor == "0x15b3" || vendor == "0x1d0f";
      adapter.is_infiniband = std::find(infiniband_.begin(), infiniband_.end(), pci) != infiniband_.end();
    }
    return adapter;
  }

  void read_nic(pugi::xml_node nic, int cpu, int pci) {
    for (const pugi::xml_node net : nic.children("net")) {
      TopologyAdapter adapter = adapter_at(net.attribute("name").as_string(), cpu, pci);
      adapter.reaches_gpu_memory = net.attribute("gdr").as_int() == 1;
      // Mbit/s, as NCCL's net plug-ins give it.
      if (const auto speed = whole_number<std::int64_t>(net.attribute("speed").as_string()); speed && *speed > 0)
        adapter.rate = BytesPerSecond(static_cast<double>(*speed) * 1e6 / 8.0);
      topology_.adapters.push_back(std::move(adapter));
    }
  }

  void check() {
    if (topology_.cpus.empty())
      error("/system", "holds no cpu element: nothing is known of the machine");
    else if (topology_.gpus.empty() && !without_class_.empty())
      error("/system",
            std::to_string(without_class_.size()) + " pci elements have no class and no gpu or nic inside (" +
                without_class_.front() + " ...): nothing tells which are GPUs and which are adapters",
            "the file only orders bus ids for NCCL; let NCCL write all it sees with NCCL_TOPO_DUMP_FILE=topo.xml");
    else if (topology_.gpus.empty())
      error("/system", "holds no GPU: no pci element of class 0x0302.. and no gpu element");
    else if (!without_class_.empty())
      warning("/system", std::to_string(without_class_.size()) + " pci elements have no class (" +
                             without_class_.front() + " ...) and are left out");
  }

  std::string source_;
  Diagnostics& diagnostics_;
  bool has_errors_ = false;
  NcclTopology topology_;
  std::vector<std::string> without_class_;
  std::vector<int> infiniband_;  // indexes of PCI elements
};

// Bridges above an element, itself first.
std::vector<int> ancestry(const NcclTopology& topology, int pci) {
  std::vector<int> chain;
  for (; pci >= 0; pci = topology.pci[static_cast<std::size_t>(pci)].parent)
    chain.push_back(pci);
  return chain;
}

}  // namespace

std::optional<NcclTopology> read_nccl_topology(std::string_view text, const std::string& source,
                                               Diagnostics& diagnostics) {
  return Reader(source, diagnostics).read(text);
}

std::string_view to_word(PciDistance distance) {
  constexpr std::array<std::string_view, 4> kWords{"PIX", "PXB", "PHB", "SYS"};
  return kWords[static_cast<std::size_t>(distance)];
}

PciDistance distance(const NcclTopology& topology, const TopologyGpu& gpu, const TopologyAdapter& adapter) {
  const PciElement& place = topology.pci[static_cast<std::size_t>(gpu.pci)];
  if (place.cpu != adapter.cpu)
    return PciDistance::sockets;
  if (adapter.pci < 0)
    return PciDistance::host_bridge;
  const std::vector<int> above_gpu = ancestry(topology, gpu.pci);
  const std::vector<int> above_adapter = ancestry(topology, adapter.pci);
  for (std::size_t i = 1; i < above_gpu.size(); ++i)
    for (std::size_t k = 1; k < above_adapter.size(); ++k)
      if (above_gpu[i] == above_adapter[k])
        return i == 1 && k == 1 ? PciDistance::same_bridge : PciDistance::several_bridges;
  return PciDistance::host_bridge;
}

}  // namespace trainwright::model
