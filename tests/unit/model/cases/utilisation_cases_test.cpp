// Batches and utilisation: one test for each published case, named after it. docs/cases.md lists them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/estimate/analytic_estimator.hpp"
#include "model/estimate/job_time.hpp"
#include "model/estimate/utilisation.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/doubtful_peaks.hpp"
#include "model/io/profile_library.hpp"
#include "model/plan/batch_shares.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Estimate estimate(const Plan& plan) {
  return *AnalyticEstimator().estimate(plan, {}, {});
}

Accelerator profile(const std::string& id) {
  Diagnostics problems;
  const auto found = find_profile(ProfileKind::accelerator, id);
  return *accelerator_from_json(found->text, std::string(found->file), problems);
}

double peak_teraflops(const std::string& id, Precision precision) {
  return profile(id).peak(precision)->count() / 1e12;
}

TEST(BatchCases, G02_WhatASynchronisationCostsAtLeast) {
  const double two_nodes = sync_seconds_at_least(2.0, 0.91);
  const double one_node = sync_seconds_at_least(0.50, 0.41);
  EXPECT_NEAR(two_nodes, 1.09, 1e-9);
  EXPECT_NEAR(one_node, 0.09, 1e-9);
  EXPECT_GT(two_nodes / one_node, 10.0);
}

TEST(BatchCases, G03_DeferralKeepsWholeGradients) {
  constexpr std::int64_t kParameters = 7'000'000'000;
  const auto gigabytes = [&](GradientDeferral policy) {
    return static_cast<double>(deferred_gradient_bytes(policy, kParameters, 2, 8).count()) / 1e9;
  };
  EXPECT_DOUBLE_EQ(gigabytes(GradientDeferral::none), 1.75);
  EXPECT_DOUBLE_EQ(gigabytes(GradientDeferral::all), 14.0);
  EXPECT_DOUBLE_EQ(gigabytes(GradientDeferral::over_replicas), 1.75);
}

TEST(BatchCases, G04_ASchedulerAdvancedByEveryProcessEndsEarly) {
  const SchedulerCalls four = scheduler_calls(10'000, 4);
  EXPECT_EQ(four.calls, 40'000);
  EXPECT_EQ(four.ends_at, 2'500);
  EXPECT_EQ(scheduler_calls(10'000, 2).ends_at, 5'000);
}

TEST(BatchCases, G05_AccumulationOfAFixedBatchIsDerivedOrRefused) {
  const Accumulation fits = accumulation_for(524'288, 4, 2048, 1);
  EXPECT_EQ(fits.passes, 64);
  const Accumulation broken = accumulation_for(524'288, 5, 2048, 1);
  EXPECT_FALSE(broken.passes);
  EXPECT_THAT(broken.neighbours, ElementsAre(4, 8));
}

TEST(UtilisationCases, U01_TheDensePeakIsTheDenominator) {
  const Accelerator h200 = profile("h200-sxm");
  const FlopsPerSecond achieved(420e12);
  EXPECT_NEAR(*utilisation(achieved, h200, Precision::bf16), 0.424, 0.001);
  const auto problem = utilisation_problem(achieved, 0.21, h200, Precision::bf16);
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("with sparsity"));
  EXPECT_THAT(*problem, HasSubstr("42.4 %"));
  EXPECT_FALSE(utilisation_problem(achieved, 0.424, h200, Precision::bf16));
}

TEST(UtilisationCases, U02_MoreThanAllIsAnErrorThatNamesThePeak) {
  for (const auto& [id, teraflops] :
       {std::pair{"a100-sxm-80gb", 312.0}, std::pair{"h100-sxm", 989.5}, std::pair{"h200-sxm", 989.5},
        std::pair{"rtx-3090", 71.0}, std::pair{"rtx-4090", 165.2}, std::pair{"rtx-5090", 209.5},
        std::pair{"rtx-a6000", 154.8}, std::pair{"rtx-6000-ada", 364.0}})
    EXPECT_NEAR(peak_teraflops(id, Precision::bf16), teraflops, 0.002 * teraflops) << id;
  const auto problem =
      utilisation_problem(FlopsPerSecond(1.04 * 312e12), 1.04, profile("a100-sxm-80gb"), Precision::bf16);
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("104.0 % of the dense bf16 peak of a100-sxm-80gb, 312 TFLOP/s"));
}

TEST(UtilisationCases, U04_OneNameOfSeveralCards) {
  EXPECT_NEAR(peak_teraflops("h100-pcie", Precision::bf16), 756.5, 1.0);
  EXPECT_NEAR(peak_teraflops("h100-nvl", Precision::bf16), 835.5, 1.0);
  EXPECT_NEAR(peak_teraflops("h100-sxm", Precision::bf16), 989.5, 1.0);
  EXPECT_FALSE(find_profile(ProfileKind::accelerator, "h100"));
  const std::string hint = known_ids_hint("h100", profile_ids(ProfileKind::accelerator));
  for (const char* card : {"h100-nvl", "h100-pcie", "h100-sxm"})
    EXPECT_THAT(hint, HasSubstr(card));
}

TEST(UtilisationCases, U06_HalfOrTwiceAKnownPeakIsDoubted) {
  EXPECT_NEAR(peak_teraflops("a100-sxm-80gb", Precision::bf16), 312.0, 0.1);
  EXPECT_NEAR(peak_teraflops("a100-sxm-80gb", Precision::tf32), 156.0, 0.1);
  EXPECT_NEAR(peak_teraflops("h100-sxm", Precision::tf32), 494.7, 0.1);
  Accelerator card = profile("a100-sxm-80gb");
  EXPECT_TRUE(doubtful_peaks(card).empty());
  card.dense_peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond(156e12);
  ASSERT_EQ(doubtful_peaks(card).size(), 1U);
  EXPECT_THAT(doubtful_peaks(card).front(), HasSubstr("bf16 156 TFLOP/s is half of the 312 TFLOP/s"));
  card.dense_peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond(624e12);
  EXPECT_THAT(doubtful_peaks(card).front(), HasSubstr("twice"));
}

TEST(UtilisationCases, U07_HardwareCountsWhatIsComputedAgain) {
  Plan plan = test::small_plan(Layout{}, 1);
  plan.model.has_head = false;
  plan.layout.recompute = Recompute::full;
  const Estimate full = estimate(plan);
  EXPECT_NEAR(full.hfu / full.mfu, 4.0 / 3.0, 1e-9);
  plan.layout.recompute = Recompute::none;
  const Estimate none = estimate(plan);
  EXPECT_DOUBLE_EQ(none.hfu, none.mfu);
}

}  // namespace
}  // namespace trainwright::model
