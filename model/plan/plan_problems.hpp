// check_plan for a plan that is still being derived: parts that rest on a stand-in are left out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/plan/plan.hpp"

namespace trainwright::model {

struct CheckScope {
  std::optional<std::int64_t> ranks = {};  ///< that an alternative must use; empty: those of the layout
  bool batch_is_known = true;              ///< false: dp or the batch is a stand-in
  bool batch_is_fixed = true;              ///< an alternative must keep the global batch
};

[[nodiscard]] Diagnostics plan_problems(const Plan& plan, const std::string& source, const CheckScope& scope);

}  // namespace trainwright::model
