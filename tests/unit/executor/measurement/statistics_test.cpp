// Each statistic against values computed by hand, and on too few samples.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/statistics.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace trainwright::executor {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Optional;

const std::vector<double> kNone;
const std::vector<double> kOne{3.0};
const std::vector<double> kTwo{5.0, 1.0};
const std::vector<double> kFive{10.0, 1.0, 3.0, 2.0, 4.0};  // sorted 1 2 3 4 10

TEST(Median, IsTheMiddleSampleOrTheMeanOfTwo) {
  EXPECT_EQ(median(kNone), std::nullopt);
  EXPECT_THAT(median(kOne), Optional(3.0));
  EXPECT_THAT(median(kTwo), Optional(3.0));
  EXPECT_THAT(median(kFive), Optional(3.0));
}

TEST(Quantile, IsLinearBetweenRanks) {
  EXPECT_EQ(quantile(kNone, 0.5), std::nullopt);
  EXPECT_THAT(quantile(kOne, 0.9), Optional(3.0));
  EXPECT_THAT(quantile(kFive, 0.0), Optional(1.0));
  EXPECT_THAT(quantile(kFive, 1.0), Optional(10.0));
  EXPECT_THAT(quantile(kFive, 0.25), Optional(2.0));
  EXPECT_THAT(quantile(kFive, 0.9), Optional(DoubleEq(7.6)));  // position 3.6: 4 + 0.6 * 6
}

TEST(QuantileDeathTest, RefusesOtherFractions) {
  EXPECT_DEATH(static_cast<void>(quantile(kFive, 1.5)), "q <= 1.0");
}

TEST(Mean, IsTheSumOverTheCount) {
  EXPECT_EQ(mean(kNone), std::nullopt);
  EXPECT_THAT(mean(kFive), Optional(4.0));
}

TEST(SampleDeviation, DividesByCountMinusOne) {
  EXPECT_EQ(sample_deviation(kNone), std::nullopt);
  EXPECT_EQ(sample_deviation(kOne), std::nullopt);
  EXPECT_THAT(sample_deviation(kTwo), Optional(DoubleEq(std::sqrt(8.0))));          // ((5-3)^2 + (1-3)^2) / 1
  EXPECT_THAT(sample_deviation(kFive), Optional(DoubleEq(std::sqrt(50.0 / 4.0))));  // 36 + 9 + 1 + 4 + 0
}

TEST(SampleDeviation, KeepsItsDigitsFarFromZero) {
  // The textbook form E[x^2] - E[x]^2 gives 0 here.
  const std::vector<double> far{1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0};
  EXPECT_THAT(sample_deviation(far), Optional(DoubleEq(1.0)));
}

TEST(MedianAbsoluteDeviation, IsTheMedianDistanceFromTheMedian) {
  EXPECT_EQ(median_absolute_deviation(kNone), std::nullopt);
  EXPECT_EQ(median_absolute_deviation(kOne), std::nullopt);
  EXPECT_THAT(median_absolute_deviation(kFive), Optional(1.0));  // distances 2 1 0 1 7
}

TEST(RelativeNoise, IsTheScaledDeviationOverTheMedian) {
  EXPECT_THAT(relative_noise(kFive), Optional(DoubleEq(1.4826 / 3.0)));
  EXPECT_EQ(relative_noise(kOne), std::nullopt);
  EXPECT_EQ(relative_noise(std::vector<double>{0.0, 0.0}), std::nullopt);
}

TEST(RelativeNoise, IsNotMovedByAnOutlier) {
  const std::vector<double> quiet{1.0, 2.0, 3.0, 4.0, 5.0};
  const std::vector<double> disturbed{1.0, 2.0, 3.0, 4.0, 5000.0};
  EXPECT_EQ(relative_noise(quiet), relative_noise(disturbed));
}

TEST(RelativeErrorOfMedian, ShrinksWithTheRootOfTheCount) {
  // sqrt(pi / 2) = 1.253314
  EXPECT_THAT(relative_error_of_median(kFive), Optional(DoubleNear(1.253314 * 1.4826 / 3.0 / std::sqrt(5.0), 1e-6)));
  EXPECT_EQ(relative_error_of_median(kOne), std::nullopt);
  EXPECT_THAT(relative_error_of_median(std::vector<double>(7, 2.0)), Optional(0.0));
}

}  // namespace
}  // namespace trainwright::executor
