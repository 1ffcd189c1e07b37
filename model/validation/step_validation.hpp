// Predicted against measured training steps and peaks of memory, as they are or after calibrating on a few rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "model/estimate/estimator.hpp"
#include "model/validation/row_plan.hpp"
#include "model/validation/statistics.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

/// A row that could be planned.
struct PlannedRow {
  const StepRow* row;
  Plan plan;
};

/// The result of one row: step, interval, memory as the row counts it. `estimate` may be empty (stopped).
[[nodiscard]] RowResult result_of(const StepRow& row, const std::optional<Estimate>& estimate);

/// Peak of the row's prediction counted the way its source did: the last rank only, and without context and
/// fragmentation, where the notes say that the allocator was asked.
[[nodiscard]] double predicted_memory(const StepRow& row, const MemoryEstimate& memory);

/// Each row in order; ends early when stopped, with the rows that were done.
[[nodiscard]] std::vector<RowResult> validate_steps(const std::vector<StepRow>& rows, RowPlanner& planner,
                                                    const Estimator& estimator, std::stop_token stop,
                                                    const Progress& progress);

/// Calibrates on `shots` measured rows drawn from each source by `seed`, marks them, and predicts the others. The fit
/// is that of fit_shots over the closed form, whatever estimator predicts. Sources without more rows than `shots` keep
/// one row to test at least, and calibrate on the rest.
[[nodiscard]] std::vector<RowResult> validate_steps_with_shots(const std::vector<StepRow>& rows, int shots,
                                                               std::uint64_t seed, RowPlanner& planner,
                                                               const Estimator& estimator, std::stop_token stop,
                                                               const Progress& progress);

/// A factor on one constant of whatever device a row ran on.
struct ConstantFactor {
  std::string name;  ///< as constant_refs() names it; "*" stands for any precision
  double factor = 1.0;
  double prior_log_width = 0.0;
};

struct ShotFit {
  std::vector<ConstantFactor> factors;
  double log_error = 0.0;  ///< 1.4826 x median |log residual| of the rows used
};

struct ShotOptions {
  std::vector<double> weights = {};  ///< by row; empty: all 1
  bool has_links = true;             ///< links and networks too, not only what belongs to the device and its software
};

/// All constants that whole steps can tell, at once, under their priors.
[[nodiscard]] ShotFit fit_shots(const std::vector<PlannedRow>& rows, const ShotOptions& options = {});
[[nodiscard]] CostConstants scaled(const CostConstants& constants, const ShotFit& fit);

}  // namespace trainwright::model::validation
