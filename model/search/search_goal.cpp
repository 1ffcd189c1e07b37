// SPDX-License-Identifier: Apache-2.0
#include "model/search/search_goal.hpp"

namespace trainwright::model {

double score(SearchObjective objective, const PlanFigures& plan) {
  const double seconds = plan.step_s / static_cast<double>(plan.global_batch);
  switch (objective) {
    case SearchObjective::throughput:
    case SearchObjective::time:
      return seconds;
    case SearchObjective::cost:
    case SearchObjective::energy:
      return seconds * plan.devices;
    case SearchObjective::memory:
      return static_cast<double>(plan.peak_bytes);
  }
  return seconds;
}

std::optional<double> training_seconds(const SearchGoal& goal, const PlanFigures& plan) {
  if (!goal.samples)
    return std::nullopt;
  return *goal.samples / static_cast<double>(plan.global_batch) * plan.step_s;
}

std::optional<double> training_price(const SearchGoal& goal, const PlanFigures& plan, const Cluster& cluster) {
  const std::optional<double> seconds = training_seconds(goal, plan);
  if (!seconds || !cluster.price_per_device_hour)
    return std::nullopt;
  return *seconds / 3600.0 * plan.devices * *cluster.price_per_device_hour;
}

std::optional<double> training_energy(const SearchGoal& goal, const PlanFigures& plan, const Cluster& cluster) {
  const std::optional<double> seconds = training_seconds(goal, plan);
  const std::optional<double> power = cluster.groups.front().accelerator.power_watts;
  if (!seconds || !power)
    return std::nullopt;
  return *seconds * plan.devices * *power;
}

std::string_view broken_constraint(const SearchGoal& goal, const PlanFigures& plan, const Cluster& cluster) {
  if (goal.deadline_s && training_seconds(goal, plan).value_or(0.0) > *goal.deadline_s)
    return "goal.deadline";
  if (goal.max_price && training_price(goal, plan, cluster).value_or(0.0) > *goal.max_price)
    return "goal.price";
  return {};
}

}  // namespace trainwright::model
