// What the PCI links between adapters and GPUs leave of the adapters' rates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/io/importers/nccl_topology.hpp"

namespace trainwright::model {

/// One PCI link that carries more adapters than it can.
struct NarrowSlot {
  std::string bus_id;
  std::vector<std::string> adapters;
  BytesPerSecond wanted = BytesPerSecond::zero();  ///< their rates together
  BytesPerSecond carried = BytesPerSecond::zero();
};

struct SlotLoad {
  std::vector<NarrowSlot> narrow;
  std::vector<BytesPerSecond> reached;  ///< by entry of `adapters`: its rate, or its share of the narrowest link
};

/// `adapters` are indexes of adapters whose rate is known. Each is taken to serve the GPUs nearest to it alike.
[[nodiscard]] SlotLoad slot_load(const NcclTopology& topology, const std::vector<std::size_t>& adapters);

/// "one adapter of 25 GB/s fills it as NCCL counts": the finding for people.
[[nodiscard]] std::string text_of(const NarrowSlot& slot);

}  // namespace trainwright::model
