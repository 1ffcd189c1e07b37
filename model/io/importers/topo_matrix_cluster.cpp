// From the matrix of topo -m to facts, findings and a cluster.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "model/io/importers/gpu_catalog.hpp"
#include "model/io/importers/near_adapters.hpp"
#include "model/io/importers/text_lines.hpp"
#include "model/io/importers/topology_cluster.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

// The most NVLinks that a GPU has had so far (NVLink 4 and 5 data sheets).
constexpr int kMostLinksOfAGpu = 18;

std::string cell_text(const TopoCell& cell) {
  return std::string(to_word(cell.kind)) + (cell.kind == TopoClass::nvlink ? std::to_string(cell.nvlinks) : "");
}

int order_of(const TopoCell& cell) {
  return static_cast<int>(cell.kind);
}

struct PairClasses {
  std::map<std::string, int> count;      // "NV12": pairs
  std::string worst;                     // class
  std::vector<std::string> worst_pairs;  // "GPU0-GPU1"
};

PairClasses pair_classes(const TopoMatrix& matrix) {
  PairClasses pairs;
  TopoCell worst{TopoClass::self, 0};
  for (std::size_t a = 0; a < matrix.gpus; ++a)
    for (std::size_t b = a + 1; b < matrix.gpus; ++b) {
      const TopoCell& cell = matrix.cells[a][b];
      ++pairs.count[cell_text(cell)];
      const bool is_worse =
          order_of(cell) != order_of(worst) ? order_of(cell) > order_of(worst) : cell.nvlinks < worst.nvlinks;
      if (is_worse) {
        worst = cell;
        pairs.worst_pairs.clear();
      }
      if (cell == worst)
        pairs.worst_pairs.push_back(matrix.names[a] + "-" + matrix.names[b]);
    }
  pairs.worst = cell_text(worst);
  return pairs;
}

// How NVLink joins the GPUs.
enum class Wiring { none, pairs, mesh, switched };

struct NvlinkWiring {
  Wiring wiring = Wiring::none;
  int links = 0;  // of the GPU that has the fewest
};

bool joins_all(const TopoMatrix& matrix) {
  std::set<std::size_t> reached{0};
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (std::size_t g = 0; g < matrix.gpus; ++g)
      if (matrix.cells[at][g].kind == TopoClass::nvlink && reached.insert(g).second)
        open.push_back(g);
  }
  return reached.size() == matrix.gpus;
}

NvlinkWiring wiring_of(const TopoMatrix& matrix) {
  int fewest = std::numeric_limits<int>::max();
  int most_of_a_pair = 0;
  for (std::size_t a = 0; a < matrix.gpus; ++a) {
    int links = 0;
    for (std::size_t b = 0; b < matrix.gpus; ++b)
      if (matrix.cells[a][b].kind == TopoClass::nvlink) {
        links += matrix.cells[a][b].nvlinks;
        most_of_a_pair = std::max(most_of_a_pair, matrix.cells[a][b].nvlinks);
      }
    fewest = std::min(fewest, links);
  }
  if (most_of_a_pair == 0 || matrix.gpus < 2)
    return {};
  if (!joins_all(matrix))
    return {Wiring::pairs, most_of_a_pair};
  // Behind a switch every pair shows all links of a GPU; no GPU has so many as the row then adds up to.
  if (fewest > kMostLinksOfAGpu)
    return {Wiring::switched, most_of_a_pair};
  return {Wiring::mesh, fewest};
}

std::string wiring_text(const NvlinkWiring& nvlink) {
  const std::string links = std::to_string(nvlink.links) + " links a GPU";
  switch (nvlink.wiring) {
    case Wiring::none:
      return "none";
    case Wiring::pairs:
      return "between some GPUs only, up to " + std::to_string(nvlink.links) + " links a pair";
    case Wiring::mesh:
      return links + ", directly between GPUs";
    case Wiring::switched:
      return links + ", all into NVSwitch";
  }
  return "";
}

Nearness nearness_of(const TopoMatrix& matrix) {
  Nearness nearness;
  nearness.host_bridge = static_cast<int>(TopoClass::phb);
  nearness.gpus.assign(matrix.names.begin(), matrix.names.begin() + static_cast<std::ptrdiff_t>(matrix.gpus));
  nearness.adapters.assign(matrix.names.begin() + static_cast<std::ptrdiff_t>(matrix.gpus), matrix.names.end());
  for (std::size_t g = 0; g < matrix.gpus; ++g) {
    std::vector<int>& distances = nearness.distance.emplace_back();
    std::vector<std::string>& words = nearness.words.emplace_back();
    for (std::size_t c = matrix.gpus; c < matrix.names.size(); ++c) {
      distances.push_back(order_of(matrix.cells[g][c]));
      words.push_back(cell_text(matrix.cells[g][c]));
    }
  }
  return nearness;
}

std::optional<NodeLink> link_of(const NvlinkWiring& nvlink, const Accelerator& accelerator, ImportedTopology& result,
                                std::string& source) {
  const std::optional<BytesPerSecond> rate = nvlink_rate(accelerator);
  const bool is_nvlink = nvlink.wiring == Wiring::mesh || nvlink.wiring == Wiring::switched;
  if (is_nvlink && rate) {
    source = std::to_string(nvlink.links) + " NVLinks in the topo -m matrix at " + format(*rate) +
             " per direction each (" + accelerator.name + ")";
    return NodeLink{nvlink.wiring == Wiring::mesh ? LinkKind::nvlink_mesh : LinkKind::nvlink_switch,
                    *rate * static_cast<double>(nvlink.links)};
  }
  if (is_nvlink) {
    result.findings.push_back("the matrix shows NVLinks, which the " + accelerator.id + " does not have: not used");
  } else if (nvlink.wiring == Wiring::pairs) {
    result.findings.push_back(
        "NVLink joins only some GPUs: a collective of all of them goes over PCI Express, which the cluster describes");
  }
  const std::optional<BytesPerSecond> slot = card_slot(accelerator);
  if (!slot)
    return std::nullopt;
  source = "not in the topo -m matrix: PCI Express with 16 lanes of the generation of " + accelerator.name;
  result.findings.push_back("the PCI Express rate is " + source);
  return NodeLink{LinkKind::pcie, *slot};
}

}  // namespace

ImportedTopology import_topology(const TopoMatrix& matrix, const TopologyOptions& options, const std::string& id,
                                 Diagnostics& diagnostics) {
  ImportedTopology result;
  const NvlinkWiring nvlink = wiring_of(matrix);
  const PairClasses pairs = pair_classes(matrix);
  const Nearness nearness = nearness_of(matrix);
  result.facts.emplace_back("GPUs", std::to_string(matrix.gpus));
  result.facts.emplace_back("NVLink", wiring_text(nvlink));
  for (const auto& [word, count] : pairs.count)
    result.facts.emplace_back("pairs " + word, std::to_string(count));
  if (pairs.count.size() > 1)
    result.facts.emplace_back("slowest pairs (" + pairs.worst + ")", joined(pairs.worst_pairs));
  if (!nearness.adapters.empty())
    result.facts.emplace_back("adapters", joined(nearness.adapters));
  for (const std::string& line : rail_lines(nearness))
    result.facts.emplace_back("near", line);
  result.findings = uneven_adapters(nearness);

  const std::optional<Accelerator> accelerator = imported_accelerator(options, std::nullopt, result, diagnostics);
  if (!accelerator)
    return result;
  NodeFacts facts;
  facts.origin = "output of nvidia-smi topo -m";
  facts.gpus = static_cast<int>(matrix.gpus);
  if (!matrix.threads.empty())
    facts.threads = std::accumulate(matrix.threads.begin(), matrix.threads.end(), 0);
  if (matrix.gpus > 1)
    facts.link = link_of(nvlink, *accelerator, result, facts.link_source);
  if (!nearness.adapters.empty() && options.adapter_rate) {
    facts.network = NodeNetwork{LinkKind::infiniband, static_cast<int>(nearness.adapters.size()), *options.adapter_rate,
                                Seconds(1e-6)};
    facts.network_source = "adapters of the topo -m matrix, at the rate of the option --adapter-rate";
    result.findings.push_back("topo -m does not tell InfiniBand from Ethernet: infiniband was written; set yours");
  } else if (!nearness.adapters.empty()) {
    result.findings.push_back(
        "the rate of the adapters is not in the matrix: the cluster has no network; add "
        "--adapter-rate, for example \"200 Gbit/s\"");
  }
  make_cluster(facts, *accelerator, options, id, result);
  return result;
}

}  // namespace trainwright::model
