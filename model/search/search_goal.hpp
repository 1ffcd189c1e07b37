// What a search looks for, and what it must keep to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "model/estimate/memory_estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// throughput and time: seconds a sequence; cost and energy: device seconds a sequence; memory: bytes at the peak of
/// the fullest rank. The less the better.
enum class SearchObjective { throughput, time, cost, energy, memory };
inline constexpr std::array<std::pair<std::string_view, SearchObjective>, 5> kSearchObjectiveWords{
    {{"throughput", SearchObjective::throughput},
     {"time", SearchObjective::time},
     {"cost", SearchObjective::cost},
     {"energy", SearchObjective::energy},
     {"memory", SearchObjective::memory}}};

struct SearchGoal {
  SearchObjective objective = SearchObjective::throughput;
  std::size_t top = 10;                     ///< plans to list, at least 1
  bool pareto = false;                      ///< and those that none beats in step time, devices and memory at once
  double memory_margin = kBorderlineShare;  ///< share of a device's memory that stays free
  std::optional<double> deadline_s;         ///< of the whole training; needs samples
  std::optional<double> max_price;          ///< of the whole training; needs samples and a price
  std::optional<double> samples;            ///< sequences of the whole training
};

/// A plan's numbers that goals are about.
struct PlanFigures {
  int devices = 1;
  std::int64_t global_batch = 1;
  double step_s = 0.0;
  std::int64_t peak_bytes = 0;
  friend bool operator==(const PlanFigures&, const PlanFigures&) = default;
};

/// The less the better; grows with the step where devices, batch and memory stay.
[[nodiscard]] double score(SearchObjective objective, const PlanFigures& plan);
/// Of the whole training; empty where samples or a price are not known.
[[nodiscard]] std::optional<double> training_seconds(const SearchGoal& goal, const PlanFigures& plan);
[[nodiscard]] std::optional<double> training_price(const SearchGoal& goal, const PlanFigures& plan,
                                                   const Cluster& cluster);
/// Joules at the board power of every device, the most it can be.
[[nodiscard]] std::optional<double> training_energy(const SearchGoal& goal, const PlanFigures& plan,
                                                    const Cluster& cluster);
/// The name of the constraint that a plan breaks, empty if none; memory is not looked at.
[[nodiscard]] std::string_view broken_constraint(const SearchGoal& goal, const PlanFigures& plan,
                                                 const Cluster& cluster);

}  // namespace trainwright::model
