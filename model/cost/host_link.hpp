// The path between a device and the memory of its host, and the update of optimizer states there.
// Origin of the numbers: docs/models/offload.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/hardware/cluster.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// One direction, what large pinned copies reach.
[[nodiscard]] BytesPerSecond host_link_rate(const Accelerator& device);

/// Update of `parameters` of one rank by the processors of its node, which `ranks` ranks share; gradients come over the
/// link beside the backward pass where `overlaps`, updated weights of `bytes_each` go back after it.
[[nodiscard]] Seconds host_update_time(std::int64_t parameters, int bytes_each, int ranks, bool overlaps,
                                       const NodeGroup& node);

}  // namespace trainwright::model
