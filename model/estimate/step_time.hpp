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

/// From the end of a pass on one stage to the arrival of its result at the next; zero without a pipeline.
[[nodiscard]] Seconds message_time(const Plan& plan);
/// Update of what a rank holds of `parameters`, those of its stage before sharding.
[[nodiscard]] Seconds optimizer_time(const Plan& plan, const PartParameters& parameters);
/// The embedding that first and last stage share, reduced between them; zero where nothing is.
[[nodiscard]] Seconds shared_embedding_time(const Plan& plan);
/// DualPipe: gradients of `parameters` reduced between `stage` and its mirror image.
[[nodiscard]] Seconds mirror_time(const Plan& plan, int stage, const PartParameters& parameters);

[[nodiscard]] StepTime step_time(const Plan& plan, const StageModels& stages);

}  // namespace trainwright::model
