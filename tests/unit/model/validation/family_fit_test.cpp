// SPDX-License-Identifier: Apache-2.0
#include "model/validation/family_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/calibration/calibration.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/estimate/step_time.hpp"
#include "model/io/calibration_v1.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model::validation {
namespace {

double step_s(const Plan& plan) {
  return step_time(plan, stage_models(plan)).step.count();
}

Plan plan_of(std::int64_t micro_batches, const std::string& family) {
  Layout layout;
  layout.dp = 2;
  layout.micro_batch = 4;
  Plan plan = test::small_plan(layout, micro_batches);
  plan.model = test::small_llama(4, 2048, 16);
  plan.cluster.groups.front().accelerator.family = family;
  return plan;
}

// Rows that a known change of one constant explains.
TEST(FamilyFit, FindsTheRateThatMadeTheStepsAndLeavesOtherFamiliesAlone) {
  constexpr double kSlower = 0.85;
  std::vector<StepRow> rows(6);
  std::vector<PlannedRow> planned;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_slow = i < 4;
    Plan plan = plan_of(1 + static_cast<std::int64_t>(i), is_slow ? "slow" : "other");
    Plan truth = plan;
    if (is_slow)
      truth.constants.gemm_step_rate *= kSlower;
    rows[i].id = {"r" + std::to_string(i), i % 2 == 0 ? "A" : "B", "", ""};
    rows[i].iteration_time_s = step_s(truth);
    planned.push_back({&rows[i], plan});
  }
  const auto files = step_constant_files(planned);
  ASSERT_EQ(files.size(), 2U);
  const auto error_with = [&](const std::string& file, std::size_t row) {
    Diagnostics problems;
    const std::optional<Calibration> fitted = calibration_from_json(files.at(file), file, problems);
    EXPECT_TRUE(fitted.has_value()) << problems.to_text();
    Plan plan = planned[row].plan;
    plan.constants = apply(*fitted, plan.constants);
    return std::abs(step_s(plan) / *rows[row].iteration_time_s - 1.0);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    // Four rows against a prior 0.12 wide: most of the difference goes, the prior keeps a little.
    const double before = std::abs(step_s(planned[i].plan) / *rows[i].iteration_time_s - 1.0);
    EXPECT_GT(before, 0.05);
    EXPECT_LT(error_with("steps-slow.json", i), before / 3.0);
  }
  for (std::size_t i = 4; i < 6; ++i)
    EXPECT_LT(error_with("steps-other.json", i), 0.01);
  EXPECT_THAT(files.at("steps-slow.json"), testing::HasSubstr("fitted on 4 published steps of 2 sources"));
}

}  // namespace
}  // namespace trainwright::model::validation
