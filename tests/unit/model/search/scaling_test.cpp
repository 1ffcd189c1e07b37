// Scaling curves: definitions on curves made by hand, and on plans through the closed form.
// SPDX-License-Identifier: Apache-2.0
#include "model/search/scaling.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "model/estimate/analytic_estimator.hpp"
#include "tests/support/builders.hpp"

namespace trainwright {
namespace {

// A step that is told, by number of devices.
class ToldEstimator final : public model::Estimator {
 public:
  explicit ToldEstimator(std::map<int, double> steps) : steps_(std::move(steps)) {}
  [[nodiscard]] std::optional<model::Estimate> estimate(const model::Plan& plan, std::stop_token,
                                                        const model::Progress&) const override {
    model::Estimate estimate;
    const double step = steps_.at(model::world_size(plan.layout));
    estimate.step = model::Seconds(step);
    estimate.breakdown[static_cast<std::size_t>(model::StepPart::compute)] = 1.0;
    estimate.breakdown[static_cast<std::size_t>(model::StepPart::exposed_data)] = step - 1.0;
    estimate.tokens_per_second =
        static_cast<double>(plan.job.global_batch) * static_cast<double>(plan.job.seq_len) / step;
    return estimate;
  }

 private:
  std::map<int, double> steps_;
};

model::Plan plan_of(int dp) {
  model::Layout layout;
  layout.dp = dp;
  layout.tp = 2;
  return test::small_plan(layout, 2);
}

// 1, 1.25 and 2.5 s for 2, 4 and 8 devices: efficiency 1, 0.8, 0.4; doublings buy 60 % and nothing.
TEST(ScalingCurve, EfficiencyKneeAndLargestByHand) {
  const ToldEstimator told({{2, 1.0}, {4, 1.25}, {8, 2.5}});
  const model::ScalingCurve curve = model::scaling_curve(plan_of(1), model::Scaling::weak, {1, 2, 4, 8}, told, {}, {});
  ASSERT_EQ(curve.points.size(), 4U);
  EXPECT_NE(curve.points[0].problem.find("2 GPUs of one replica"), std::string::npos);
  EXPECT_EQ(curve.base, 1U);
  EXPECT_DOUBLE_EQ(curve.points[1].efficiency, 1.0);
  EXPECT_DOUBLE_EQ(curve.points[2].efficiency, 0.8);
  EXPECT_DOUBLE_EQ(curve.points[3].efficiency, 0.4);
  EXPECT_NEAR(curve.points[3].lost[static_cast<std::size_t>(model::StepPart::exposed_data)], 0.6, 1e-12);
  EXPECT_NEAR(model::gain_of_doubling(curve.points[1], curve.points[2]), 0.6, 1e-12);
  EXPECT_EQ(curve.knee, 2U);
  EXPECT_EQ(curve.largest, 2U);
}

TEST(ScalingCurve, WhatIsLostSumsToWhatIsMissing) {
  for (const model::Scaling kind : {model::Scaling::weak, model::Scaling::strong}) {
    model::Plan plan = plan_of(1);
    plan.job.global_batch = 32;
    const model::ScalingCurve curve =
        model::scaling_curve(plan, kind, {2, 4, 8, 16, 32, 128}, model::AnalyticEstimator(), {}, {});
    ASSERT_EQ(curve.base, 0U);
    for (std::size_t i = 0; i < 5; ++i) {
      const model::CurvePoint& point = curve.points[i];
      ASSERT_EQ(point.problem, "");
      EXPECT_NEAR(std::accumulate(point.lost.begin(), point.lost.end(), 0.0), 1.0 - point.efficiency, 1e-9);
      EXPECT_EQ(point.global_batch, kind == model::Scaling::weak ? 32 * point.devices / 2 : 32);
    }
    // 64 replicas have no 32 sequences to share out.
    EXPECT_EQ(curve.points[5].problem.empty(), kind == model::Scaling::weak);
  }
}

}  // namespace
}  // namespace trainwright
