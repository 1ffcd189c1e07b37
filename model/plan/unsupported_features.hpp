// What a plan may say but this version cannot build into an execution graph yet. One list, so that nothing is ignored
// in silence; a line goes when the feature lands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/base/diagnostic.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// An error for each feature of the plan that this version does not build; empty when all are.
[[nodiscard]] Diagnostics unsupported_features(const Plan& plan, const std::string& source);

}  // namespace trainwright::model
