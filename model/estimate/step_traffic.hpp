// Bytes that one rank sends in a step for data parallelism, collective by collective, and what a node's ranks send
// together. A ring sends (n - 1) / n of a gathered or scattered buffer, twice that for an all-reduce.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/stage_model.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

struct TrafficItem {
  CollectiveKind kind = CollectiveKind::all_reduce;
  GroupAxis axis = GroupAxis::data_context;
  int ranks = 1;       ///< of the group
  double count = 1.0;  ///< times a step
  double bytes = 0.0;  ///< sent by one rank in a step, all of them
};

/// Of the rank of the stage that sends most; gradients and parameters, not the layers' own collectives.
[[nodiscard]] std::vector<TrafficItem> data_traffic(const Plan& plan, const StageModels& stages);

/// Sum over the items.
[[nodiscard]] double sent_bytes(const std::vector<TrafficItem>& items);

}  // namespace trainwright::model
