// Error statistics of predictions. Errors are fractions, predicted / measured - 1. docs/models/validation.md defines
// each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainwright::model::validation {

/// One row with its prediction, or the reason why there is none.
struct RowResult {
  std::string row_id;
  std::string source;
  std::optional<double> measured_s;
  std::optional<double> predicted_s;
  std::optional<double> low_s;  ///< 90 % interval of the prediction
  std::optional<double> high_s;
  std::optional<double> memory_measured_bytes;
  std::optional<double> memory_predicted_bytes;
  std::optional<double> efficiency_measured_pct;
  std::optional<double> efficiency_predicted_pct;
  std::string group;  ///< a second way to divide rows: "H100 bf16", "all_reduce n=8"; empty: none
  std::string job;    ///< rows of one name trained the same model on the same devices in other layouts; empty: none
  double sequences = 0.0;                                 ///< of a step; 0: not stated
  std::string verdict;                                    ///< on memory, as reports word it; empty: not predicted
  std::string skipped;                                    ///< reason; empty: predicted
  std::vector<std::pair<std::string, double>> breakdown;  ///< seconds by part of the predicted step
  std::vector<std::string> assumptions;                   ///< what the row left open and the plan took
  bool calibrates = false;                                ///< was used to calibrate, and does not count
  friend bool operator==(const RowResult&, const RowResult&) = default;

  /// predicted / measured - 1 of the time, where both are known.
  [[nodiscard]] std::optional<double> error() const;
  /// Likewise of the memory.
  [[nodiscard]] std::optional<double> memory_error() const;
};

struct Summary {
  std::size_t rows = 0;     ///< without those that calibrated
  std::size_t covered = 0;  ///< predicted
  std::optional<double> mape;
  std::optional<double> macro_median;  ///< mean over sources of their median
  std::optional<double> median_abs_error;
  std::optional<double> p90_abs_error;
  std::optional<double> bias;      ///< mean signed error
  std::optional<double> spearman;  ///< rank correlation; from three rows on
  std::optional<double> interval_coverage;
  std::size_t memory_rows = 0;
  std::optional<double> memory_median_abs_error;
  std::optional<double> memory_p90_abs_error;
  std::size_t efficiency_rows = 0;
  std::optional<double> efficiency_mean_abs_points;  ///< percentage points
  friend bool operator==(const Summary&, const Summary&) = default;
};

[[nodiscard]] Summary summarise(const std::vector<RowResult>& rows);
/// The rows of one source (`source`) or of one group (`group`), in order.
[[nodiscard]] std::vector<RowResult> of_source(const std::vector<RowResult>& rows, const std::string& source);
[[nodiscard]] std::vector<RowResult> of_group(const std::vector<RowResult>& rows, const std::string& group);
/// Names in order of their first row.
[[nodiscard]] std::vector<std::string> sources_of(const std::vector<RowResult>& rows);
[[nodiscard]] std::vector<std::string> groups_of(const std::vector<RowResult>& rows);

/// What taking the layout that is predicted to be best would have cost, for a job of which many layouts were measured.
struct JobChoice {
  std::string source;
  std::string job;
  std::size_t layouts = 0;
  double loss = 0.0;  ///< measured seconds a sequence of the layout taken / of the best one - 1
  friend bool operator==(const JobChoice&, const JobChoice&) = default;
};
/// Jobs of which at least `least` rows are measured and predicted, in order of their first row.
[[nodiscard]] std::vector<JobChoice> job_choices(const std::vector<RowResult>& rows, std::size_t least = 10);
/// Share of them that lost at most `loss`; empty without jobs.
[[nodiscard]] std::optional<double> good_choices(const std::vector<JobChoice>& choices, double loss = 0.05);

/// Quantile `q` in 0 .. 1 by linear interpolation between order statistics; empty for no values.
[[nodiscard]] std::optional<double> quantile(std::vector<double> values, double q);
/// Spearman's rank correlation, ties sharing their mean rank; empty below three pairs or when one side is constant.
[[nodiscard]] std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace trainwright::model::validation
