// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/plan/nearest_layout.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/plan_problems.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/unsupported_features.hpp"

namespace trainwright::model {
namespace {

void append(std::vector<Violation>& list, const std::vector<Violation>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// "for example --tp 4 --dp 2 uses all 8 ranks", or nothing when no layout of that many ranks obeys the rules.
std::string alternative(const Plan& plan, std::int64_t ranks, bool keep_batch, const std::string& source) {
  const std::optional<Layout> found =
      nearest_layout({plan.model, plan.cluster, plan.job, plan.layout}, ranks, keep_batch);
  if (!found)
    return {};
  const std::string text = layout_difference(plan.layout, *found, source);
  return "for example " + text + " uses " + (ranks == 1 ? "the 1 rank" : "all " + std::to_string(ranks) + " ranks");
}

}  // namespace

Diagnostics check_plan(const Plan& plan, const std::string& source) {
  return plan_problems(plan, source, {.ranks = std::nullopt});
}

Diagnostics plan_problems(const Plan& plan, const std::string& source, const CheckScope& scope) {
  const RuleInput input{plan.model, plan.cluster, plan.job, plan.layout};
  std::vector<Violation> violations = check_ranges(input);
  const bool in_range = violations.empty();
  std::string way_out;
  if (in_range) {
    append(violations, check_layout_rules(input));
    if (scope.batch_is_known)
      append(violations, check_batch_rules(input));
    const bool layout_is_wrong = std::any_of(violations.begin(), violations.end(), [](const Violation& violation) {
      return violation.severity == Severity::error;
    });
    if (layout_is_wrong)
      way_out = alternative(plan, scope.ranks.value_or(world_size(plan.layout)),
                            scope.batch_is_known && scope.batch_is_fixed, source);
    append(violations, check_job_rules(input));
    if (!layout_is_wrong && scope.batch_is_known)
      append(violations, check_advice_rules(input));
  }
  Diagnostics problems;
  for (const Violation& violation : violations) {
    const bool needs_layout = violation.severity == Severity::error && violation.section == PlanSection::layout &&
                              violation.rule != "cluster.holds-ranks";
    std::string hint = violation.hint;
    if (needs_layout && !way_out.empty())
      hint += (hint.empty() ? "" : ", or ") + way_out;
    problems.add({violation.severity, source, field_path(source, violation.section, violation.field), violation.message,
                  hint, violation.rule});
  }
  if (in_range)
    problems.append(unsupported_features(plan, source));
  return problems;
}

}  // namespace trainwright::model
