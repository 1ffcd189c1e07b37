// Finds the nearest value of a numeric field that makes a refused scenario valid, for the "Set to N" button at the
// field.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "gui/session/plan_source.hpp"

namespace trainwright::gui {

struct FieldFix {
  Field field = Field::none;
  std::int64_t value = 0;
  bool resolvesAll = false;  ///< false: only the problems of this field disappear
  friend bool operator==(const FieldFix&, const FieldFix&) = default;
};

/// At most one proposal for each numeric field that has a problem; only those that mend everything, if there are any.
/// Costs up to about 40 calls of resolve for each.
[[nodiscard]] std::vector<FieldFix> findFixes(const PlanSource& source, const ScenarioInputs& inputs,
                                              const model::Diagnostics& problems, std::stop_token stop);

}  // namespace trainwright::gui
