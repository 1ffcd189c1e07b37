// Which samples count as disturbed, from readings made up for the purpose.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/disturbance.hpp"

#include <gtest/gtest.h>

namespace trainwright::executor {
namespace {

struct Moment {
  double wall = 0.0;
  double thread = 0.0;
  std::optional<double> queued = 0.0;
  std::optional<double> stolen = 0.0;
};

ProcessorReading reading(const Moment& moment) {
  ProcessorReading result;
  result.wall = model::Seconds(moment.wall);
  result.thread = model::Seconds(moment.thread);
  if (moment.queued)
    result.queued = model::Seconds(*moment.queued);
  if (moment.stolen)
    result.stolen = model::Seconds(*moment.stolen);
  result.processors = 2;
  return result;
}

/// A sample of one second that began with all clocks at 5 s.
SampleFault judge(const Moment& used, const DisturbanceBounds& bounds) {
  Moment after{5.0 + used.wall, 5.0 + used.thread, std::nullopt, std::nullopt};
  if (used.queued)
    after.queued = 5.0 + *used.queued;
  if (used.stolen)
    after.stolen = 5.0 + *used.stolen;
  return disturbance(reading({5.0, 5.0, 5.0, 5.0}), reading(after), bounds);
}

TEST(Disturbance, NoneWhenTheThreadRanAllTheTime) {
  EXPECT_EQ(judge({1.0, 1.0}, computing_bounds()), SampleFault::none);
}

TEST(Disturbance, MuchWaitingWhileComputingIsPreemption) {
  EXPECT_EQ(judge({1.0, 0.41}, computing_bounds()), SampleFault::none);
  EXPECT_EQ(judge({1.0, 0.39}, computing_bounds()), SampleFault::preempted);
}

TEST(Disturbance, WaitingForOthersWhileCommunicatingIsNot) {
  EXPECT_EQ(judge({1.0, 0.0, 0.49}, communicating_bounds()), SampleFault::none);
  EXPECT_EQ(judge({1.0, 0.0, 0.51}, communicating_bounds()), SampleFault::preempted);
  EXPECT_EQ(judge({1.0, 0.0, std::nullopt}, communicating_bounds()), SampleFault::none);
}

TEST(Disturbance, RanksThatShareACoreMayWait) {
  EXPECT_EQ(judge({1.0, 0.0, 3.0}, sharing_bounds()), SampleFault::none);
}

TEST(Disturbance, StolenTimeIsJudgedAgainstAllProcessors) {
  EXPECT_EQ(judge({1.0, 1.0, 0.0, 0.19}, computing_bounds()), SampleFault::none);
  EXPECT_EQ(judge({1.0, 1.0, 0.0, 0.21}, computing_bounds()), SampleFault::stolen);
  EXPECT_EQ(judge({1.0, 0.0, 0.0, 0.21}, sharing_bounds()), SampleFault::stolen);
  EXPECT_EQ(judge({1.0, 1.0, 0.0, std::nullopt}, computing_bounds()), SampleFault::none);
}

TEST(Disturbance, NoTimePassedIsNoSample) {
  EXPECT_EQ(judge({0.0, 0.0}, computing_bounds()), SampleFault::no_time);
}

TEST(ReadProcessor, MovesForward) {
  const DisturbanceBounds all{0.1, 0.5, 0.1};
  const ProcessorReading before = read_before(all);
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i)
    sum += static_cast<double>(i);
  ASSERT_GT(sum, 0.0);
  const ProcessorReading after = read_after(all);
  EXPECT_GT(after.wall, before.wall);
  EXPECT_GT(after.thread, before.thread);
  EXPECT_GE(after.processors, 1);
  EXPECT_EQ(after.queued.has_value(), before.queued.has_value());
  EXPECT_GE(after.queued, before.queued);
}

TEST(ReadProcessor, AsksForNothingThatHasNoBound) {
  const ProcessorReading reading = read_before({std::nullopt, std::nullopt, std::nullopt});
  EXPECT_EQ(reading.queued, std::nullopt);
  EXPECT_EQ(reading.stolen, std::nullopt);
}

}  // namespace
}  // namespace trainwright::executor
