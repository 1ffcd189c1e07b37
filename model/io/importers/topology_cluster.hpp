// A cluster of equal nodes from what any topology tells: shared by the importers of NCCL files and topo -m.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/io/importers/imported_topology.hpp"

namespace trainwright::model {

/// What a reader of one kind of file found out about a node.
struct NodeFacts {
  int gpus = 0;
  std::optional<int> threads;          ///< hardware threads of the node
  std::optional<NodeLink> link;        ///< empty with one GPU, or where nothing tells it
  std::string link_source;             ///< where the link's figures come from
  std::optional<NodeNetwork> network;  ///< empty without adapters, or where nothing tells their rate
  std::string network_source;
  std::string origin;  ///< "NCCL topology file topo.xml"
};

/// The accelerator that `options` or else the file names; empty with a reason when neither does. An unknown id is an
/// error in `diagnostics`.
[[nodiscard]] std::optional<Accelerator> imported_accelerator(const TopologyOptions& options,
                                                              const std::optional<std::string>& from_file,
                                                              ImportedTopology& result, Diagnostics& diagnostics);

/// Fills result.cluster or result.no_cluster; adds a finding for each figure that is neither in the file nor an option.
void make_cluster(const NodeFacts& facts, const Accelerator& accelerator, const TopologyOptions& options,
                  const std::string& id, ImportedTopology& result);

}  // namespace trainwright::model
