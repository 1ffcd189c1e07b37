// trainwright/scaling/v1: what `scale --json` prints. docs/formats/scaling_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/search/scaling.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_scaling_json(const std::vector<ScalingCurve>& curves, const Plan& plan);

}  // namespace trainwright::model
