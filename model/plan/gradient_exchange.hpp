// What replaces a plain reduction of gradients: compressed messages, parameter servers, fewer meetings.
// docs/models/gradient_exchange.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/graph/task.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Whether gradients of the plan travel in any of these ways. Sharded states are never exchanged so.
[[nodiscard]] bool has_own_exchange(const Layout& layout);

/// Collectives for `parameters` held by `replicas` ranks over `axis`, of the average step.
[[nodiscard]] std::vector<CollectiveWork> gradient_exchange(const Plan& plan, GroupAxis axis, int replicas,
                                                            std::int64_t parameters);

/// Bytes read and written for each parameter to encode and decode it.
[[nodiscard]] int compression_traffic(const Plan& plan);

}  // namespace trainwright::model
