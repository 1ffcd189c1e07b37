// SPDX-License-Identifier: Apache-2.0
#include "model/io/cluster_v1.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "model/io/accelerator_v1.hpp"
#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/profile_library.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr int kMaxNodes = 1'000'000;
constexpr int kMaxDevicesPerNode = 4096;
constexpr int kMaxDevices = 10'000'000;
constexpr int kMaxCores = 65'536;
constexpr int kMaxAdapters = 1024;
constexpr double kMaxOversubscription = 1000.0;
constexpr double kMaxPrice = 1e9;

// Which kinds join the devices of a node, and which join nodes.
constexpr std::array<std::pair<std::string_view, LinkKind>, 4> kInsideWords{
    {kLinkKindWords[0], kLinkKindWords[1], kLinkKindWords[2], kLinkKindWords[3]}};
constexpr std::array<std::pair<std::string_view, LinkKind>, 3> kBetweenWords{
    {kLinkKindWords[4], kLinkKindWords[5], kLinkKindWords[6]}};
static_assert(kInsideWords.back().second == LinkKind::shared_memory);
static_assert(kBetweenWords.front().second == LinkKind::infiniband);

Accelerator read_accelerator_or_id(JsonObject& group) {
  if (!group.is_text("accelerator")) {
    JsonObject object = group.object("accelerator");
    return read_accelerator(object);
  }
  const std::string id = group.string("accelerator");
  const std::optional<Profile> profile = find_profile(ProfileKind::accelerator, id);
  if (!profile) {
    group.add_error("accelerator", "\"" + id + "\" is not a known accelerator",
                    known_ids_hint(id, profile_ids(ProfileKind::accelerator)));
    return {};
  }
  return accelerator_from_json(profile->text, std::string(profile->file), group.diagnostics()).value_or(Accelerator{});
}

NodeLink read_link(JsonObject& object, int devices_per_node) {
  NodeLink link;
  const ProblemWatch watch(object);
  link.kind = object.choice<LinkKind>("kind", kInsideWords);
  link.bandwidth = positive_bytes_per_second(object, "bandwidth");
  const std::int64_t domain = object.optional_integer("domain_devices", {0, kMaxDevices}).value_or(0);
  link.domain_devices = static_cast<int>(domain);
  if (domain > 0 && watch.is_clean() && link.kind != LinkKind::nvlink_switch)
    object.add_error("domain_devices",
                     "is " + std::to_string(domain) + ", but a link of kind \"" + word_of(kLinkKindWords, link.kind) +
                         "\" ends at the node",
                     "leave it out; only devices on an nvlink-switch are joined across nodes");
  else if (domain > 0 && domain % devices_per_node != 0)
    object.add_error("domain_devices",
                     "is " + std::to_string(domain) + ", which whole nodes of " + std::to_string(devices_per_node) +
                         " devices do not make",
                     "write a multiple of " + std::to_string(devices_per_node));
  object.finish();
  return link;
}

NodeNetwork read_network(JsonObject& object) {
  NodeNetwork network;
  const ProblemWatch watch(object);
  network.kind = object.choice<LinkKind>("kind", kBetweenWords);
  network.adapters = read_int(object, "adapters", 1, kMaxAdapters);
  network.rate = positive_bytes_per_second(object, "rate");
  network.latency = object.seconds("latency");
  network.measured_rate = object.optional_bytes_per_second("measured_rate");
  if (network.measured_rate == BytesPerSecond::zero())
    object.add_error("measured_rate", "is 0", "leave it out where nothing was measured");
  else if (network.measured_rate && watch.is_clean() && *network.measured_rate > network.rate)
    object.add_error("measured_rate",
                     "is " + format(*network.measured_rate) + ", above the adapter's rate of " + format(network.rate),
                     "both are per adapter and direction");
  object.finish();
  return network;
}

NodeGroup read_group(JsonObject& object) {
  NodeGroup group;
  const ProblemWatch watch(object);
  group.accelerator = read_accelerator_or_id(object);
  group.nodes = read_int(object, "nodes", 1, kMaxNodes);
  group.devices_per_node = read_int(object, "devices_per_node", 1, kMaxDevicesPerNode);
  group.devices_share_cores = object.optional_boolean("devices_share_cores").value_or(false);
  if (group.devices_share_cores && watch.is_clean() && group.accelerator.kind != AcceleratorKind::cpu)
    object.add_error(
        "devices_share_cores",
        "is true, but the accelerator is of kind \"" + word_of(kAcceleratorKindWords, group.accelerator.kind) + "\"",
        "only devices of kind \"cpu\" share cores");
  group.cores_per_node = read_int(object, "cores_per_node", 1, kMaxCores);
  group.host_memory = positive_byte_count(object, "host_memory");
  if (std::optional<JsonObject> link = object.optional_object("link"))
    group.link = read_link(*link, group.devices_per_node);
  else if (group.devices_per_node > 1)
    object.add_error(
        "link", "is missing",
        "a node of " + std::to_string(group.devices_per_node) + " devices needs \"link\": {\"kind\", \"bandwidth\"}");
  if (std::optional<JsonObject> network = object.optional_object("network"))
    group.network = read_network(*network);
  object.finish();
  return group;
}

Fabric read_fabric(JsonObject& object) {
  Fabric fabric;
  const ProblemWatch watch(object);
  fabric.kind = object.choice<FabricKind>("kind", kFabricKindWords);
  const bool has_leaves = fabric.kind == FabricKind::leaf_spine || fabric.kind == FabricKind::rail_optimized;
  fabric.nodes_per_leaf = static_cast<int>(object.optional_integer("nodes_per_leaf", {0, kMaxNodes}).value_or(0));
  if (fabric.nodes_per_leaf > 0 && !has_leaves && watch.is_clean())
    object.add_error("nodes_per_leaf",
                     "is " + std::to_string(fabric.nodes_per_leaf) + ", but a fabric of kind \"" +
                         word_of(kFabricKindWords, fabric.kind) + "\" has no leaves",
                     "leave it out, or choose leaf-spine or rail-optimized");
  fabric.oversubscription = object.optional_number("oversubscription", {1.0, kMaxOversubscription}).value_or(1.0);
  object.finish();
  return fabric;
}

Storage read_storage(JsonObject& object) {
  Storage storage;
  storage.read_bandwidth = positive_bytes_per_second(object, "read_bandwidth");
  storage.write_bandwidth = positive_bytes_per_second(object, "write_bandwidth");
  storage.latency = object.seconds("latency");
  object.finish();
  return storage;
}

// What holds between the parts of a cluster.
void check(JsonObject& object, const Cluster& cluster, bool fabric_given) {
  std::int64_t nodes = 0;
  std::int64_t devices = 0;
  for (const NodeGroup& group : cluster.groups) {
    nodes += group.nodes;
    devices += static_cast<std::int64_t>(group.nodes) * group.devices_per_node;
  }
  if (cluster.groups.empty() && object.has("groups"))
    object.add_error("groups", "holds no group of nodes", "at least one is needed");
  if (devices > kMaxDevices)
    object.add_error("groups", "hold " + std::to_string(devices) + " devices",
                     "at most " + std::to_string(kMaxDevices) + " are possible");
  if (nodes > 1) {
    for (std::size_t i = 0; i < cluster.groups.size(); ++i)
      if (!cluster.groups[i].network)
        object.diagnostics().add_error(object.source(), object.path() + "/groups/" + std::to_string(i) + "/network",
                                       "is missing",
                                       "a cluster of " + std::to_string(nodes) +
                                           " nodes needs \"network\": {\"kind\", \"adapters\", \"rate\", "
                                           "\"latency\"} in each group");
    if (!fabric_given)
      object.add_error("fabric", "is missing",
                       "a cluster of " + std::to_string(nodes) +
                           " nodes needs \"fabric\": {\"kind\": \"full-bisection\"} "
                           "or another kind");
    else if (cluster.fabric.kind == FabricKind::none)
      object.add_error("fabric", "is of kind \"none\"",
                       "a cluster of " + std::to_string(nodes) + " nodes needs a fabric that joins them");
  }
  if (cluster.price_per_device_hour && cluster.currency.empty())
    object.add_error("currency", "is missing", "a price needs its currency, for example \"USD\"");
  if (!cluster.price_per_device_hour && !cluster.currency.empty())
    object.add_error("price_per_device_hour", "is missing", "a currency without a price says nothing");
}

ordered_json group_value(const NodeGroup& group) {
  auto value = ordered_json::object();
  value["accelerator"] = accelerator_value(group.accelerator);
  value["nodes"] = group.nodes;
  value["devices_per_node"] = group.devices_per_node;
  value["devices_share_cores"] = group.devices_share_cores;
  value["cores_per_node"] = group.cores_per_node;
  value["host_memory"] = exact_text(group.host_memory);
  if (group.link) {
    ordered_json& link = value["link"];
    link = {{"kind", word_of(kLinkKindWords, group.link->kind)}, {"bandwidth", exact_text(group.link->bandwidth)}};
    if (group.link->domain_devices > 0)
      link["domain_devices"] = group.link->domain_devices;
  }
  if (group.network) {
    ordered_json& network = value["network"];
    network = {{"kind", word_of(kLinkKindWords, group.network->kind)},
               {"adapters", group.network->adapters},
               {"rate", exact_text(group.network->rate)},
               {"latency", exact_text(group.network->latency)}};
    if (group.network->measured_rate)
      network["measured_rate"] = exact_text(*group.network->measured_rate);
  }
  return value;
}

void fill(const Cluster& cluster, ordered_json& value) {
  value["id"] = cluster.id;
  value["name"] = cluster.name;
  auto groups = ordered_json::array();
  for (const NodeGroup& group : cluster.groups)
    groups.push_back(group_value(group));
  value["groups"] = std::move(groups);
  value["fabric"] = {{"kind", word_of(kFabricKindWords, cluster.fabric.kind)},
                     {"nodes_per_leaf", cluster.fabric.nodes_per_leaf},
                     {"oversubscription", cluster.fabric.oversubscription}};
  if (cluster.storage)
    value["storage"] = {{"read_bandwidth", exact_text(cluster.storage->read_bandwidth)},
                        {"write_bandwidth", exact_text(cluster.storage->write_bandwidth)},
                        {"latency", exact_text(cluster.storage->latency)}};
  if (cluster.price_per_device_hour)
    value["price_per_device_hour"] = *cluster.price_per_device_hour;
  if (!cluster.currency.empty())
    value["currency"] = cluster.currency;
  value["sources"] = sources_value(cluster.sources);
}

}  // namespace

ordered_json cluster_value(const Cluster& cluster) {
  auto value = ordered_json::object();
  fill(cluster, value);
  return value;
}

Cluster read_cluster(JsonObject& object) {
  Cluster cluster;
  cluster.id = required_text(object, "id");
  cluster.name = object.string("name");
  for (JsonObject& group : object.objects("groups"))
    cluster.groups.push_back(read_group(group));
  std::optional<JsonObject> fabric = object.optional_object("fabric");
  if (fabric)
    cluster.fabric = read_fabric(*fabric);
  if (std::optional<JsonObject> storage = object.optional_object("storage"))
    cluster.storage = read_storage(*storage);
  cluster.price_per_device_hour = object.optional_number("price_per_device_hour", {0.0, kMaxPrice});
  cluster.currency = object.optional_string("currency").value_or("");
  cluster.sources = read_sources(object);
  check(object, cluster, fabric.has_value());
  object.finish();
  return cluster;
}

std::string to_cluster_json(const Cluster& cluster) {
  ordered_json value{{"format", "trainwright/cluster/v1"}};
  fill(cluster, value);
  return canonical_text(value);
}

std::optional<Cluster> cluster_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "cluster", diagnostics, read_cluster);
}

}  // namespace trainwright::model
