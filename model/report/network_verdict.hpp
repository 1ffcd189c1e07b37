// A measured bus bandwidth between nodes against what the adapters promise: expected, measured, ratio, and likely
// causes where they do not meet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/collective/bus_bandwidth.hpp"
#include "model/hardware/cluster.hpp"

namespace trainwright::model {

struct NetworkVerdict {
  BytesPerSecond line = BytesPerSecond::zero();          ///< data sheet of a node's adapters together
  BytesPerSecond expected_low = BytesPerSecond::zero();  ///< what healthy RDMA adapters reach of it
  BytesPerSecond expected_high = BytesPerSecond::zero();
  double ratio = 0.0;               ///< measured / line
  bool is_plausible = true;         ///< false: more than the network can carry
  std::string text;                 ///< "75 % of the line: a little low"
  std::vector<std::string> causes;  ///< likely ones, each with the check that tells it
};

/// `measured` is the bus bandwidth of a large all-reduce over `nodes` nodes, at least 2. Between two nodes a tree moves
/// each byte once instead of twice, so its bus bandwidth may be up to twice the line
/// (https://github.com/NVIDIA/nccl/issues/307). Expected share: maintainers' 46 to 48 GB/s for 400 Gbit/s
/// (https://github.com/NVIDIA/nccl-tests/issues/290).
[[nodiscard]] NetworkVerdict judge_network(const NodeNetwork& network, BytesPerSecond measured, int nodes,
                                           std::optional<CollectiveAlgorithm> algorithm = {});

}  // namespace trainwright::model
