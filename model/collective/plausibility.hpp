// Whether a time of a collective can be, against what its bytes need on the slowest link.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/collective/collective_cost.hpp"

namespace trainwright::model {

/// Bytes of one rank over the data sheet's rate of the link they leave by, and one latency a peer.
[[nodiscard]] Seconds collective_bound(const CollectiveWork& work, const GroupShape& shape, const Cluster& cluster);

/// A sentence where `time` is more than three times the bound; empty where it is plausible.
[[nodiscard]] std::optional<std::string> implausible_collective(const CollectiveWork& work, const GroupShape& shape,
                                                                const Cluster& cluster, Seconds time);

}  // namespace trainwright::model
