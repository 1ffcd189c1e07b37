// The closed-form step: time and its parts on the critical path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/estimate.hpp"
#include "model/estimate/stage_model.hpp"

namespace trainwright::model {

struct StepTime {
  Seconds step = Seconds::zero();
  Breakdown breakdown{};            ///< sums to the step
  std::vector<Seconds> stage_busy;  ///< compute of one rank of each stage
};

[[nodiscard]] StepTime step_time(const Plan& plan, const StageModels& stages);

}  // namespace trainwright::model
