// The answer of a search as it is shown: what was found, with the numbers that goals are about and what other
// estimators say of the best.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/estimate/estimator.hpp"
#include "model/search/layout_search.hpp"

namespace trainwright::model {

/// A plan with what follows from its step. Empty where it cannot be told: no length of training, no price, no power.
struct AnsweredPlan {
  FoundPlan found;
  double tokens_per_s = 0.0;
  std::optional<double> training_s;
  std::optional<double> price;
  std::optional<double> energy_j;  ///< at the board power of every device
  std::optional<EstimatorKind> verified_by;
  std::optional<Seconds> verified_step;
};

struct SearchAnswer {
  std::string model;
  std::string cluster;
  std::string currency;
  SearchObjective objective = SearchObjective::throughput;
  bool is_complete = true;
  SearchCounts counts;
  std::vector<AnsweredPlan> best;    ///< by the estimator that verified them, else by the closed form
  std::vector<AnsweredPlan> pareto;  ///< in order of step time
  std::map<std::string, RejectedRule> rules;
  std::vector<std::string> assumptions;
};

[[nodiscard]] SearchAnswer answer_of(const LayoutSearch& search);

/// Estimates the best plans anew and puts them in the order that results; fewer than all when stopped. Throws
/// EnvironmentError when the engine fails.
void verify(SearchAnswer& answer, const LayoutSearch& search, const Estimator& estimator, EstimatorKind kind,
            std::stop_token stop, const Progress& progress);

}  // namespace trainwright::model
