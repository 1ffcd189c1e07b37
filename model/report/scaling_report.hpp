// Scaling curves for a terminal: a table, the knee, the largest useful size, what the efficiency is lost to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/search/scaling.hpp"

namespace trainwright::model {

[[nodiscard]] std::string scaling_report(const std::vector<ScalingCurve>& curves);

}  // namespace trainwright::model
