// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "model/io/json_writer.hpp"
#include "model/validation/kernel_points.hpp"
#include "model/validation/names.hpp"
#include "model/validation/row_plan.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kGbit = 1e9 / 8.0;
constexpr double kGigabyte = 1e9;

bool has(std::string_view text, std::string_view piece) {
  return text.find(piece) != std::string_view::npos;
}

// Words of the tables for links, and their data-sheet rate per device and direction. The first that fits counts.
struct LinkWords {
  std::string_view piece;
  LinkKind kind;
  double bandwidth;
};
constexpr std::array<LinkWords, 18> kLinks{{
    {"400 GB/s A800", LinkKind::nvlink_switch, 200e9},
    {"NV4", LinkKind::nvlink_mesh, 56.25e9},  // four links of a bridge
    {"bridge pairs + PCIe", LinkKind::pcie, 31.5e9},
    {"NVLink bridge", LinkKind::nvlink_mesh, 300e9},
    {"NV6", LinkKind::nvlink_mesh, 150e9},
    {"NVLink5", LinkKind::nvlink_switch, 900e9},
    {"NVLink 5", LinkKind::nvlink_switch, 900e9},
    {"HGX B", LinkKind::nvlink_switch, 900e9},
    {"NVLink4", LinkKind::nvlink_switch, 450e9},
    {"HGX H", LinkKind::nvlink_switch, 450e9},
    {"NVLink3", LinkKind::nvlink_switch, 300e9},
    {"HGX A100", LinkKind::nvlink_switch, 300e9},
    {"NVLink2", LinkKind::nvlink_mesh, 150e9},
    {"PCIe 5.0", LinkKind::pcie, 63e9},
    {"PCIe 4.0", LinkKind::pcie, 31.5e9},
    {"PCIe 3.0", LinkKind::pcie, 15.75e9},
    {"through host memory", LinkKind::pcie, 31.5e9},
    {"PCIe", LinkKind::pcie, 31.5e9},
}};

std::optional<double> number_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && ((text[begin - 1] >= '0' && text[begin - 1] <= '9') || text[begin - 1] == '.'))
    --begin;
  double value = 0.0;
  const auto [at, problem] = std::from_chars(text.data() + begin, text.data() + end, value);
  if (problem != std::errc() || at == text.data() + begin || value <= 0.0)
    return std::nullopt;
  return value;
}

// "RoCE 8x400 Gb/s per node", "400 GB/s aggregate per node", "Ethernet 32 Gb/s TCP", "4 NICs per node, about 24 GB/s
// each".
std::optional<NodeNetwork> network_of(std::string_view text) {
  NodeNetwork network;
  network.kind = LinkKind::infiniband;
  if (has(text, "TCP") && !has(text, "TCPX"))
    network.kind = LinkKind::ethernet_tcp;
  else if (has(text, "RoCE") || has(text, "EFA") || has(text, "TCPX") || has(text, "Ethernet"))
    network.kind = LinkKind::roce;
  if (has(text, "not stated") && !has(text, "about"))
    return std::nullopt;
  for (const auto& [unit, bytes] :
       {std::pair{std::string_view(" Gb/s"), kGbit}, {std::string_view(" GB/s"), kGigabyte}}) {
    const std::size_t at = text.find(unit);
    if (at == std::string_view::npos)
      continue;
    const std::optional<double> rate = number_before(text, at);
    if (!rate)
      continue;
    network.rate = BytesPerSecond(*rate * bytes);
    const std::string digits = std::string(text.substr(0, at));
    const std::size_t times = digits.find_last_not_of("0123456789.");
    if (times != std::string::npos && digits[times] == 'x')
      network.adapters = static_cast<int>(number_before(text, times).value_or(1.0));
    else if (const std::size_t nics = text.find(" NICs per node"); nics != std::string_view::npos)
      network.adapters = static_cast<int>(number_before(text, nics).value_or(1.0));
    else if (has(text, "per GPU"))
      network.adapters = 0;  // one for each device, set by the caller
    return network;
  }
  return std::nullopt;
}

bool says_sick(const std::string& notes) {
  constexpr std::array<std::string_view, 7> kWords{"problem",   "collapse", "sick",        "not a healthy",
                                                   "unhealthy", "complain", "slow because"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return has(notes, word); });
}

}  // namespace

std::optional<CollectivePlace> place_of(const CollectiveRow& row, std::string& problem) {
  CollectivePlace place;
  const auto refuse = [&](std::string reason) {
    problem = std::move(reason);
    return std::nullopt;
  };
  const auto kind = std::find(kCollectiveWords.begin(), kCollectiveWords.end(), row.collective);
  if (kind == kCollectiveWords.end())
    return refuse("\"" + row.collective + "\" is not a collective");
  place.kind = static_cast<CollectiveKind>(kind - kCollectiveWords.begin());
  if (row.gpus < 2)
    return refuse("one rank communicates with nobody");
  NodeGroup group;
  if (const std::optional<Accelerator> device = row.gpu.empty() ? std::nullopt : accelerator_named(row.gpu))
    group.accelerator = *device;
  else
    group.accelerator.id = row.gpu.empty() ? "unnamed" : plain_name(row.gpu);
  if (!row.nodes && !row.gpus_per_node)
    return refuse("neither nodes nor devices per node are stated");
  const std::int64_t per_node = row.gpus_per_node.value_or((row.gpus + *row.nodes - 1) / *row.nodes);
  const std::int64_t nodes = row.nodes.value_or((row.gpus + per_node - 1) / per_node);
  // A rack is one domain of NVLink: its trays are no nodes to a collective.
  const bool is_rack = has(row.intra_node_link, "NVL72 domain");
  constexpr std::int64_t kRack = 72;
  const std::int64_t domain = is_rack ? std::min(row.gpus, kRack) : per_node;
  group.devices_per_node = static_cast<int>(domain);
  group.nodes = static_cast<int>(is_rack ? (row.gpus + kRack - 1) / kRack : nodes);
  for (const LinkWords& words : kLinks)
    if (!group.link && has(row.intra_node_link, words.piece))
      group.link = NodeLink{words.kind, BytesPerSecond(words.bandwidth)};
  // Several devices of a node on one link each way: where the words name none, the card's usual one.
  if (!group.link && group.accelerator.multiprocessors > 1)
    group.link = usual_link(group.accelerator);
  if (domain > 1 && !group.link)
    return refuse("the link inside a node is not stated");
  if (group.nodes > 1) {
    group.network = network_of(row.inter_node_network);
    if (!group.network)
      return refuse("the rate between nodes is not stated");
    if (group.network->adapters == 0)
      group.network->adapters = static_cast<int>(domain);
  }
  place.cluster.id = row.system;
  place.cluster.groups = {group};
  place.shape.ranks = static_cast<int>(row.gpus);
  place.shape.nodes = group.nodes;
  place.shape.ranks_per_node = static_cast<int>(std::min(domain, row.gpus));
  place.healthy = !says_sick(row.id.notes);
  return place;
}

}  // namespace trainwright::model::validation
