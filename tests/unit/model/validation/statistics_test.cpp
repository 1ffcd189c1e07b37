// SPDX-License-Identifier: Apache-2.0
#include "model/validation/statistics.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/validation/report.hpp"

namespace trainwright::model::validation {
namespace {

RowResult row(std::string id, std::string source, double measured, double predicted) {
  RowResult result;
  result.row_id = std::move(id);
  result.source = std::move(source);
  result.measured_s = measured;
  result.predicted_s = predicted;
  result.low_s = 0.9 * predicted;
  result.high_s = 1.1 * predicted;
  return result;
}

// Errors +10 %, -20 %, 0 of source A; +50 % of source B.
std::vector<RowResult> four() {
  return {row("1", "A", 1.0, 1.1), row("2", "A", 2.0, 1.6), row("3", "A", 3.0, 3.0), row("4", "B", 4.0, 6.0)};
}

TEST(Statistics, OfFourRowsByHand) {
  const Summary s = summarise(four());
  EXPECT_EQ(s.rows, 4U);
  EXPECT_EQ(s.covered, 4U);
  EXPECT_NEAR(*s.mape, 0.2, 1e-12);
  EXPECT_NEAR(*s.median_abs_error, 0.15, 1e-12);
  EXPECT_NEAR(*s.p90_abs_error, 0.2 + 0.7 * 0.3, 1e-12) << "between the third and the fourth of 0, 0.1, 0.2, 0.5";
  EXPECT_NEAR(*s.bias, 0.1, 1e-12);
  EXPECT_NEAR(*s.macro_median, (0.1 + 0.5) / 2.0, 1e-12);
  EXPECT_NEAR(*s.spearman, 1.0, 1e-12);
  EXPECT_NEAR(*s.interval_coverage, 0.5, 1e-12) << "rows 1 and 3 lie inside";
}

TEST(Statistics, LeaveOutRowsThatCalibratedAndCountSkippedOnes) {
  std::vector<RowResult> rows = four();
  rows[3].calibrates = true;
  rows.push_back({});
  rows.back().source = "B";
  rows.back().measured_s = 1.0;
  rows.back().skipped = "no profile";
  const Summary s = summarise(rows);
  EXPECT_EQ(s.rows, 4U);
  EXPECT_EQ(s.covered, 3U);
  EXPECT_NEAR(*s.median_abs_error, 0.1, 1e-12);
  EXPECT_NEAR(*s.macro_median, 0.1, 1e-12) << "source B has no predicted row left";
}

TEST(Statistics, AreNullWithoutRows) {
  const Summary s = summarise({});
  EXPECT_EQ(s, Summary{});
  EXPECT_EQ(quantile({}, 0.5), std::nullopt);
}

TEST(Statistics, RankTiesShareTheirMean) {
  // Ranks 0.5, 0.5, 2 against 0, 1, 2: Pearson of the ranks is sqrt(3) / 2.
  EXPECT_NEAR(*rank_correlation({1, 1, 2}, {1, 2, 3}), 0.8660254037844386, 1e-12);
  EXPECT_EQ(rank_correlation({1, 2}, {1, 2}), std::nullopt);
  EXPECT_EQ(rank_correlation({1, 1, 1}, {1, 2, 3}), std::nullopt);
  EXPECT_NEAR(*rank_correlation({1, 2, 3, 4}, {9, 7, 5, 1}), -1.0, 1e-12);
}

TEST(ValidationReport, JsonHasTheContractsKeys) {
  std::vector<RowResult> rows = four();
  rows[0].memory_measured_bytes = 10.0;
  rows[0].memory_predicted_bytes = 12.0;
  rows[1].skipped = "why";
  const auto value = nlohmann::json::parse(to_json(rows));
  for (const char* const key : {"rows", "covered", "mape", "macro_median", "median_abs_error", "p90_abs_error", "bias",
                                "spearman", "interval_coverage", "memory_rows", "memory_median_abs_error",
                                "efficiency_rows", "efficiency_mean_abs_points"}) {
    EXPECT_TRUE(value.at("all").contains(key)) << key;
    EXPECT_TRUE(value.at("sources").at("A").contains(key)) << key;
  }
  for (const char* const key :
       {"row_id", "source", "measured_s", "predicted_s", "interval_s", "error", "memory_measured_bytes",
        "memory_predicted_bytes", "efficiency_measured_pct", "efficiency_predicted_pct", "skipped"})
    EXPECT_TRUE(value.at("rows").at(0).contains(key)) << key;
  EXPECT_EQ(value.at("rows").at(0).at("skipped"), nullptr);
  EXPECT_EQ(value.at("rows").at(1).at("skipped"), "why");
  EXPECT_NEAR(value.at("all").at("memory_median_abs_error").get<double>(), 0.2, 1e-12);
  EXPECT_EQ(value.at("rows").at(0).at("interval_s").size(), 2U);
}

// Ten layouts of a job, measured in 1.00, 1.01 ... seconds; the fourth is predicted to be best.
TEST(JobChoices, CompareTheLayoutTakenWithTheBestOne) {
  std::vector<RowResult> rows;
  for (int i = 0; i < 10; ++i) {
    rows.push_back(row(std::to_string(i), "A", 1.0 + 0.01 * i, i == 3 ? 0.5 : 2.0));
    rows.back().job = "GPT";
    rows.back().sequences = 8.0;
  }
  std::vector<JobChoice> choices = job_choices(rows);
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices.front().layouts, 10U);
  EXPECT_NEAR(choices.front().loss, 0.03, 1e-12);
  EXPECT_EQ(good_choices(choices), 1.0);
  EXPECT_EQ(good_choices(choices, 0.02), 0.0);
  // Twice the batch in the same time is twice as good.
  rows[9].sequences = 16.0;
  EXPECT_NEAR(job_choices(rows).front().loss, 1.03 / (1.09 / 2.0) - 1.0, 1e-12);
  rows.pop_back();
  EXPECT_TRUE(job_choices(rows).empty());
  EXPECT_EQ(good_choices({}), std::nullopt);
}

}  // namespace
}  // namespace trainwright::model::validation
