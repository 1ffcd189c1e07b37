// The end of a step: gradient buckets reduced beside the last backward pass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/collective/collective_cost.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

struct SyncTimes {
  Seconds backward = Seconds::zero();  ///< last backward pass, slowed by the communication beside it
  Seconds exposed = Seconds::zero();   ///< from its end to the end of the last bucket
};

/// Last backward pass of a stage with its data-parallel all-reduces.
[[nodiscard]] SyncTimes gradient_sync(const StageModel& stage, const Plan& plan, const GroupShape& data_shape);

}  // namespace trainwright::model
