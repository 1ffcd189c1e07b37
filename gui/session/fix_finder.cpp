// SPDX-License-Identifier: Apache-2.0
#include "gui/session/fix_finder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace trainwright::gui {
namespace {

/// Values worth trying, nearest (by ratio) first: small numbers, powers of two and three times those, and neighbours
/// that are multiples of what the rules usually ask for.
std::vector<std::int64_t> candidates(std::int64_t current) {
  std::set<std::int64_t> values;
  for (std::int64_t base : {1, 3, 5, 7})
    for (std::int64_t value = base; value <= std::max<std::int64_t>(current * 4, 16); value *= 2)
      values.insert(value);
  for (std::int64_t step : {2, 8, 16, 64, 128}) {
    values.insert(current / step * step);
    values.insert((current / step + 1) * step);
  }
  values.erase(current);
  values.erase(0);
  std::vector<std::int64_t> ordered(values.begin(), values.end());
  const double here = std::log(static_cast<double>(std::max<std::int64_t>(current, 1)));
  std::stable_sort(ordered.begin(), ordered.end(), [here](std::int64_t a, std::int64_t b) {
    return std::abs(std::log(static_cast<double>(a)) - here) < std::abs(std::log(static_cast<double>(b)) - here);
  });
  constexpr std::size_t kMost = 40;
  if (ordered.size() > kMost)
    ordered.resize(kMost);
  return ordered;
}

bool blames(const model::Diagnostics& problems, Field field) {
  return std::any_of(problems.list().begin(), problems.list().end(), [field](const model::Diagnostic& problem) {
    return problem.severity == model::Severity::error && fieldOf(problem) == field;
  });
}

std::optional<FieldFix> fixFor(const PlanSource& source, const ScenarioInputs& inputs, Field field,
                               std::int64_t current, std::size_t problemsNow, const std::stop_token& stop) {
  std::optional<FieldFix> partial;
  for (const std::int64_t value : candidates(current)) {
    if (stop.stop_requested())
      return std::nullopt;
    const Resolution tried = source.resolve(withNumber(inputs, field, value));
    if (tried.plan)
      return FieldFix{field, value, true};
    if (!partial && tried.problems.list().size() < problemsNow && !blames(tried.problems, field))
      partial = FieldFix{field, value, false};
  }
  return partial;
}

}  // namespace

std::vector<FieldFix> findFixes(const PlanSource& source, const ScenarioInputs& inputs,
                                const model::Diagnostics& problems, std::stop_token stop) {
  std::vector<FieldFix> fixes;
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    model::PlanChoices choices = inputs.choices;
    const std::optional<std::int64_t>* current = numberOf(choices, field);
    if (current == nullptr || !blames(problems, field))
      continue;
    if (const auto fix = fixFor(source, inputs, field, current->value_or(1), problems.list().size(), stop))
      fixes.push_back(*fix);
  }
  // Where one change mends everything, half measures would only confuse.
  if (std::any_of(fixes.begin(), fixes.end(), [](const FieldFix& fix) { return fix.resolvesAll; }))
    std::erase_if(fixes, [](const FieldFix& fix) { return !fix.resolvesAll; });
  return fixes;
}

}  // namespace trainwright::gui
