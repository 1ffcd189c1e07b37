// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_machine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/collective/collective_cost.hpp"
#include "model/io/load.hpp"
#include "model/validation/row_plan.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kSlowNetworkGbps = 25.0;  // up to this, cloud machines of the tables speak TCP
// Between devices that reach each other through host memory or across sockets: 0.05 to 0.16 of PCI Express 4 x16 were
// measured (docs/models/collectives.md); the upper end.
constexpr double kThroughHost = 5.0e9;
constexpr double kNvlink1 = 80e9;  // four links of 20 GB/s, NVIDIA Tesla P100 whitepaper
// Power of a K80 board is shared by its two GPUs: the boost clock that one alone reaches is lost. Fitted.
constexpr double kSharedBoardSlowdown = 1.03;

// Machines that the words for the interconnect name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMachines{
    {{"DGX A100", "dgx-a100"}, {"DGX-1", "dgx-1"}, {"DGX-2", "dgx-2"}, {"GB200", "gb200-nvl72"}}};

bool is_kepler(const NodeGroup& group) {
  return group.accelerator.family == "kepler";
}

// Share of a device's links that lead to the others of a small group in a hybrid cube mesh: two of one quad are joined
// by one link; a device has one link to the other quad (P100), or two (V100). DGX-1 whitepapers, figure of topology.
double mesh_share(const NodeGroup& group, std::int64_t devices) {
  const double links = group.accelerator.family == "pascal" ? 4.0 : 6.0;
  const double across = group.accelerator.family == "pascal" ? 1.0 : 2.0;
  if (devices == 2)
    return 1.0 / links;
  return devices <= 4 ? 1.0 - across / links : 1.0;
}

void set_link(const ScalingRow& row, ScalingMachine& machine) {
  NodeGroup& group = machine.cluster.groups.front();
  if (group.accelerator.family == "pascal" && group.link && group.link->kind == LinkKind::nvlink_mesh)
    group.link->bandwidth = BytesPerSecond(kNvlink1);
  const bool is_unknown = row.interconnect == "not stated";
  // Its benchmark_pytorch.sh exports NCCL_P2P_DISABLE=1 before every run: collectives go through host memory.
  const bool avoids_peers = row.id.url.find("lambdal/deeplearning-benchmark") != std::string::npos;
  if ((is_unknown || avoids_peers) && group.link)
    group.link->kind = LinkKind::pcie;
  if (avoids_peers)
    machine.assumptions.emplace_back("this benchmark sets NCCL_P2P_DISABLE=1: through the host, not over NVLink");
  if (is_unknown)
    machine.assumptions.emplace_back("the link is not stated: PCI Express through the host");
  if (group.network && row.inter_node_gbps && *row.inter_node_gbps <= kSlowNetworkGbps)
    group.network->kind = LinkKind::ethernet_tcp;
}

void set_constants(const std::optional<Calibration>& calibration, ScalingMachine& machine) {
  const NodeGroup& group = machine.group();
  machine.constants = shipped_constants(machine.cluster);
  if (group.link && group.link->kind == LinkKind::pcie) {
    CollectiveConstants& link = machine.constants.node_link;
    link.efficiency = std::min(1.0, kThroughHost / group.link->bandwidth.count());
    link.crowding = 0.0;                          // the host's memory is one for all
    machine.constants.node_link_step_rate = 1.0;  // what was measured is the rate itself
    link.kind_factor.fill(1.0);
    link.bulk_bytes = 0.0;
  }
  if (calibration)
    machine.constants = apply(*calibration, machine.constants);
}

}  // namespace

Seconds ScalingMachine::all_reduce(double bytes, std::int64_t devices) const {
  if (devices <= 1)
    return Seconds::zero();
  GroupShape shape;
  shape.ranks = static_cast<int>(devices);
  shape.ranks_per_node = static_cast<int>(std::min<std::int64_t>(devices, group().devices_per_node));
  shape.nodes = (shape.ranks + shape.ranks_per_node - 1) / shape.ranks_per_node;
  Cluster part = cluster;
  NodeGroup& nodes = part.groups.front();
  if (shape.nodes == 1 && nodes.link && nodes.link->kind == LinkKind::nvlink_mesh)
    nodes.link->bandwidth = BytesPerSecond(nodes.link->bandwidth.count() * mesh_share(nodes, devices));
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::data, ByteCount(static_cast<std::int64_t>(bytes)),
                            Precision::fp32};
  return collective_duration(work, shape, part, constants);
}

std::int64_t ScalingMachine::port_sharers(std::int64_t devices) const {
  // Two boards of two GPUs behind a port (K80 servers); two GPUs behind a PCI Express switch (DGX-1 whitepaper).
  const std::int64_t behind_port = is_kepler(group()) ? 4 : 2;
  return std::min<std::int64_t>({devices, behind_port, group().devices_per_node});
}

double ScalingMachine::crowding(std::int64_t devices) const {
  return is_kepler(group()) && devices > 1 ? kSharedBoardSlowdown : 1.0;
}

std::optional<ScalingMachine> machine_of(const ScalingRow& row, const std::optional<Calibration>& calibration,
                                         std::string& problem) {
  StepRow as_step;
  as_step.accelerator = row.accelerator;
  as_step.gpus = std::max(row.gpus, row.base_gpus);
  as_step.gpus_per_node = row.gpus_per_node;
  as_step.inter_node_gbps = row.inter_node_gbps;
  for (const auto& [words, id] : kMachines)
    if (as_step.cluster.empty() && row.interconnect.find(words) != std::string::npos)
      as_step.cluster = id;
  RowCluster found = cluster_of(as_step);
  if (!found.cluster) {
    problem = found.problem;
    return std::nullopt;
  }
  ScalingMachine machine{std::move(*found.cluster), {}, std::move(found.assumptions)};
  set_link(row, machine);
  set_constants(calibration, machine);
  return machine;
}

}  // namespace trainwright::model::validation
