// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/io/load.hpp"
#include "model/validation/names.hpp"
#include "model/validation/row_plan.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kGbps = 1e9 / 8.0;  // bytes a second
constexpr double kMicrosecond = 1e-6;
constexpr double kNvlinkPerDevice[] = {150e9, 300e9, 450e9, 900e9};  // NVLink 2 to 5, one direction, data sheets
constexpr double kPcie4 = 31.5e9;                                    // x16, one direction
constexpr int kUsualDevicesPerNode = 8;

std::optional<Cluster> from_accelerator(const StepRow& row, RowCluster& result) {
  const std::optional<Accelerator> device = accelerator_named(row.accelerator);
  if (!device) {
    result.problem = "no profile for cluster \"" + row.cluster + "\" nor for accelerator \"" + row.accelerator + "\"";
    return std::nullopt;
  }
  Cluster cluster;
  cluster.id = row.cluster.empty() ? device->id : row.cluster;
  NodeGroup group;
  group.accelerator = *device;
  group.devices_per_node =
      static_cast<int>(row.gpus_per_node.value_or(std::min<std::int64_t>(row.gpus, kUsualDevicesPerNode)));
  group.nodes = static_cast<int>((row.gpus + group.devices_per_node - 1) / group.devices_per_node);
  group.host_memory = device->memory * group.devices_per_node;
  group.link = usual_link(*device);
  if (group.nodes > 1) {
    if (!row.inter_node_gbps) {
      result.problem = "no profile for cluster \"" + row.cluster + "\", and the row states no network between nodes";
      return std::nullopt;
    }
    group.network = NodeNetwork{LinkKind::infiniband, 1, BytesPerSecond(*row.inter_node_gbps * kGbps), Seconds(0.0)};
  }
  cluster.groups = {group};
  cluster.fabric.kind = group.nodes > 1 ? FabricKind::full_bisection : FabricKind::none;
  result.assumptions.push_back("nodes of " + std::to_string(group.devices_per_node) + " x " + device->id +
                               " with the usual link: the row names no cluster of the library");
  return cluster;
}

}  // namespace

NodeLink usual_link(const Accelerator& device) {
  const auto named = [&](std::string_view piece) { return device.id.find(piece) != std::string::npos; };
  const auto nvlink = [](LinkKind kind, std::size_t generation) {
    return NodeLink{kind, BytesPerSecond(kNvlinkPerDevice[generation - 2])};
  };
  if (device.family == "volta" && named("sxm"))
    return nvlink(LinkKind::nvlink_mesh, 2);
  if (device.family == "ampere" && named("sxm"))
    return nvlink(LinkKind::nvlink_switch, 3);
  if (device.family == "hopper" && !named("pcie"))
    return nvlink(LinkKind::nvlink_switch, 4);
  if (device.family == "blackwell" || device.family == "blackwell-ultra")
    return nvlink(LinkKind::nvlink_switch, 5);
  return {LinkKind::pcie, BytesPerSecond(kPcie4)};
}

RowCluster cluster_of(const StepRow& row) {
  RowCluster result;
  const std::vector<std::string> known = cluster_ids();
  if (std::find(known.begin(), known.end(), row.cluster) != known.end() && row.cluster != "local") {
    Diagnostics ignored;
    result.cluster = load_cluster(row.cluster, ignored);
  }
  if (!result.cluster)
    result.cluster = from_accelerator(row, result);
  if (!result.cluster)
    return result;
  NodeGroup& group = result.cluster->groups.front();
  // The same kind of cluster is built with several cards; the row knows which one it was.
  if (const std::optional<Accelerator> device = accelerator_named(row.accelerator))
    group.accelerator = *device;
  if (row.gpus_per_node && group.devices_per_node != *row.gpus_per_node)
    group.devices_per_node = static_cast<int>(*row.gpus_per_node);
  if (group.network) {
    if (row.inter_node_gbps)
      group.network->rate = BytesPerSecond(*row.inter_node_gbps * kGbps / group.network->adapters);
    if (row.inter_node_latency_us)
      group.network->latency = Seconds(*row.inter_node_latency_us * kMicrosecond);
  }
  if (!group.network && row.gpus > group.devices_per_node * group.nodes) {
    result.problem = "the cluster has no network, and the row has more devices than a node";
    result.cluster.reset();
    return result;
  }
  if (is_uniform(*result.cluster))
    result.cluster = resized(*result.cluster, static_cast<int>(row.gpus));
  return result;
}

}  // namespace trainwright::model::validation
