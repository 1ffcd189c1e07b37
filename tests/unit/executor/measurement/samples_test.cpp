// Samples that count and samples that do not.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/samples.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace trainwright::executor {
namespace {

using ::testing::ElementsAre;

Sample sample(double seconds, SampleFault fault = SampleFault::none) {
  return {model::Seconds(seconds), fault};
}

TEST(Samples, KeepsValidTimesInOrderAndCountsTheRest) {
  Samples samples;
  samples.add(sample(2.0));
  samples.add(sample(9.0, SampleFault::preempted));
  samples.add(sample(1.0));
  samples.add(sample(9.0, SampleFault::stolen));
  samples.add(sample(9.0, SampleFault::preempted));
  EXPECT_THAT(samples.valid(), ElementsAre(2.0, 1.0));
  EXPECT_EQ(samples.invalid_count(), 3);
  EXPECT_EQ(samples.count(SampleFault::preempted), 2);
  EXPECT_EQ(samples.fault_text(), "3 of 5 samples do not count: 2 preempted, 1 stolen");
}

TEST(Samples, RefusesTimesThatAreNone) {
  Samples samples;
  samples.add(sample(0.0));
  samples.add(sample(-1.0));
  samples.add(sample(std::numeric_limits<double>::quiet_NaN()));
  samples.add(sample(std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(samples.valid().empty());
  EXPECT_EQ(samples.fault_text(), "4 of 4 samples do not count: 4 no time");
}

TEST(Samples, SayNothingWhenAllCount) {
  Samples samples;
  samples.add(sample(1.0));
  EXPECT_EQ(samples.fault_text(), "");
}

TEST(Summarize, DescribesTheValidSamples) {
  Samples samples;
  for (const double seconds : {10.0, 1.0, 3.0, 2.0, 4.0})
    samples.add(sample(seconds));
  samples.add(sample(99.0, SampleFault::wrong_result));
  const model::SampleSummary expected{5, 1, 3.0, 1.0, 10.0, 1.4826 / 3.0, false};
  EXPECT_EQ(summarize(samples, false), expected);
}

TEST(Summarize, OneSampleHasNoNoiseAndNoneHasNoTime) {
  Samples samples;
  EXPECT_EQ(summarize(samples, false), (model::SampleSummary{0, 0, 0.0, 0.0, 0.0, 0.0, false}));
  samples.add(sample(2.0));
  EXPECT_EQ(summarize(samples, true), (model::SampleSummary{1, 0, 2.0, 2.0, 2.0, 0.0, true}));
}

}  // namespace
}  // namespace trainwright::executor
