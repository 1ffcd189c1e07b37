// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/topology_cluster.hpp"

#include "model/io/accelerator_v1.hpp"
#include "model/io/profile_library.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {

std::optional<Accelerator> imported_accelerator(const TopologyOptions& options,
                                                const std::optional<std::string>& from_file, ImportedTopology& result,
                                                Diagnostics& diagnostics) {
  const std::optional<std::string>& id = options.accelerator ? options.accelerator : from_file;
  if (!id) {
    result.no_cluster =
        "the file does not name the GPU; add --accelerator ID (`trainwright profiles accelerators` lists them)";
    return std::nullopt;
  }
  const std::optional<Profile> profile = find_profile(ProfileKind::accelerator, *id);
  if (!profile) {
    diagnostics.add_error("command line", "--accelerator", "\"" + *id + "\" is not a known accelerator",
                          known_ids_hint(*id, profile_ids(ProfileKind::accelerator)));
    result.no_cluster = "the accelerator is not known";
    return std::nullopt;
  }
  if (options.accelerator && from_file && *from_file != *options.accelerator)
    result.findings.push_back("the file's PCI device is a " + *from_file + ", the cluster is made of " +
                              *options.accelerator + " as asked");
  return accelerator_from_json(profile->text, std::string(profile->file), diagnostics);
}

void make_cluster(const NodeFacts& facts, const Accelerator& accelerator, const TopologyOptions& options,
                  const std::string& id, ImportedTopology& result) {
  const int nodes = options.nodes.value_or(1);
  if (facts.gpus > 1 && !facts.link) {
    result.no_cluster = "nothing tells how fast the GPUs reach each other";
    return;
  }
  if (nodes > 1 && !facts.network) {
    result.no_cluster =
        "several nodes need a network, and nothing tells the rate of an adapter; add --adapter-rate, "
        "for example \"200 Gbit/s\"";
    return;
  }
  Cluster cluster;
  cluster.id = id;
  cluster.name = id;
  NodeGroup group;
  group.accelerator = accelerator;
  group.nodes = nodes;
  group.devices_per_node = facts.gpus;
  group.link = facts.gpus > 1 ? facts.link : std::nullopt;
  group.network = facts.network;
  const std::string unknown = "not in the file: ";
  std::string cores_source = "hardware threads of the affinity masks in the " + facts.origin +
                             "; with simultaneous multithreading two of them share a core";
  if (!facts.threads) {
    cores_source = unknown + "one core for each GPU was written; set yours";
    result.findings.push_back("processor cores are " + cores_source);
  }
  group.cores_per_node = facts.threads.value_or(facts.gpus);
  std::string memory_source = "the option --host-memory";
  if (!options.host_memory) {
    memory_source = unknown + "twice the memory of the node's GPUs was written; set yours or give --host-memory";
    result.findings.push_back("host memory is " + memory_source);
  }
  group.host_memory =
      options.host_memory.value_or(ByteCount(2 * accelerator.memory.count() * std::int64_t{facts.gpus}));
  cluster.fabric.kind = nodes > 1 ? FabricKind::full_bisection : FabricKind::none;
  if (nodes > 1)
    result.findings.push_back("the fabric between nodes is not in the file: full bisection was written; set yours");
  cluster.sources.push_back({{"devices_per_node"}, facts.origin});
  cluster.sources.push_back({{"nodes"}, options.nodes ? "the option --nodes" : "one node, as the file describes one"});
  cluster.sources.push_back({{"cores_per_node"}, cores_source});
  cluster.sources.push_back({{"host_memory"}, memory_source});
  if (group.link)
    cluster.sources.push_back({{"bandwidth"}, facts.link_source});
  if (group.network) {
    cluster.sources.push_back({{"adapters", "rate"}, facts.network_source});
    cluster.sources.push_back({{"latency"},
                               "estimate of one way through adapter and switch; the time of a message comes from the "
                               "fitted constants, not from this figure"});
  }
  cluster.groups.push_back(std::move(group));
  result.cluster = std::move(cluster);
}

}  // namespace trainwright::model
