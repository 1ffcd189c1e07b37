// Bandwidth of collectives as nccl-tests prints it, and what to expect of it from the adapters of a node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/graph/task.hpp"
#include "model/hardware/cluster.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// bus bandwidth / algorithm bandwidth (bytes / time), as nccl-tests defines them (doc/PERFORMANCE.md there):
/// 2 (n - 1) / n for all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, 1 for broadcast and reduce.
[[nodiscard]] double bus_bandwidth_factor(CollectiveKind kind, int ranks);

/// How a collective between nodes was done; it decides what its bus bandwidth can be.
enum class CollectiveAlgorithm { ring, tree };

/// Bus bandwidth of large messages that healthy adapters of a node give, together. Maintainers expect 46 to 48 GB/s of
/// 400 Gbit/s and 11.5 to 12.3 of 100 (nccl-tests issue 290, nccl issues 495 and 652).
struct BusBandwidthRange {
  BytesPerSecond low = BytesPerSecond::zero();
  BytesPerSecond high = BytesPerSecond::zero();
};
[[nodiscard]] BusBandwidthRange expected_bus_bandwidth(const NodeNetwork& network);

}  // namespace trainwright::model
