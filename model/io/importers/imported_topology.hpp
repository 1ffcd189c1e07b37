// What came of a topology of another program: facts, findings, and a cluster where the file and the options tell
// enough.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/hardware/cluster.hpp"
#include "model/io/importers/nccl_topology.hpp"
#include "model/io/importers/topo_matrix.hpp"

namespace trainwright::model {

/// What topologies do not say and the user may.
struct TopologyOptions {
  std::optional<std::string> accelerator = {};      ///< profile id
  std::optional<int> nodes = {};                    ///< as many equal nodes; left out: one
  std::optional<BytesPerSecond> adapter_rate = {};  ///< per adapter and direction
  std::optional<ByteCount> host_memory = {};
};

struct ImportedTopology {
  std::vector<std::pair<std::string, std::string>> facts;  ///< label and text, in order
  std::vector<std::string> findings;                       ///< what is uneven, narrow, assumed
  std::optional<Cluster> cluster;
  std::string no_cluster;  ///< why there is none, and what to add; empty when there is one
};

/// `id` names the cluster. An unknown accelerator or impossible option is an error in `diagnostics`.
[[nodiscard]] ImportedTopology import_topology(const NcclTopology& topology, const TopologyOptions& options,
                                               const std::string& id, Diagnostics& diagnostics);
[[nodiscard]] ImportedTopology import_topology(const TopoMatrix& matrix, const TopologyOptions& options,
                                               const std::string& id, Diagnostics& diagnostics);

}  // namespace trainwright::model
