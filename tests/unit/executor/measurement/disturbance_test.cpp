// Which samples count as disturbed, from readings made up for the purpose.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/disturbance.hpp"

#include <gtest/gtest.h>

namespace trainwright::executor {
namespace {

ProcessorReading reading(double wall, double thread, std::optional<double> stolen = 0.0) {
  ProcessorReading result;
  result.wall = model::Seconds(wall);
  result.thread = model::Seconds(thread);
  if (stolen)
    result.stolen = model::Seconds(*stolen);
  result.processors = 2;
  return result;
}

TEST(Disturbance, NoneWhenTheThreadRanAllTheTime) {
  EXPECT_EQ(disturbance(reading(1.0, 5.0), reading(2.0, 6.0), {}), SampleFault::none);
}

TEST(Disturbance, WaitingBeyondTheBoundIsPreemption) {
  EXPECT_EQ(disturbance(reading(0.0, 0.0), reading(1.0, 0.91), {}), SampleFault::none);
  EXPECT_EQ(disturbance(reading(0.0, 0.0), reading(1.0, 0.89), {}), SampleFault::preempted);
}

TEST(Disturbance, WaitingMayBeAllowed) {
  DisturbanceBounds bounds;
  bounds.waiting.reset();
  EXPECT_EQ(disturbance(reading(0.0, 0.0), reading(1.0, 0.0), bounds), SampleFault::none);
}

TEST(Disturbance, StolenTimeIsJudgedAgainstAllProcessors) {
  EXPECT_EQ(disturbance(reading(0.0, 0.0, 1.0), reading(1.0, 1.0, 1.19), {}), SampleFault::none);
  EXPECT_EQ(disturbance(reading(0.0, 0.0, 1.0), reading(1.0, 1.0, 1.21), {}), SampleFault::stolen);
  EXPECT_EQ(disturbance(reading(0.0, 0.0, std::nullopt), reading(1.0, 1.0, 9.0), {}), SampleFault::none);
}

TEST(Disturbance, NoTimePassedIsNoSample) {
  EXPECT_EQ(disturbance(reading(1.0, 1.0), reading(1.0, 1.0), {}), SampleFault::no_time);
}

TEST(ReadProcessor, MovesForward) {
  const ProcessorReading before = read_before();
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i)
    sum += static_cast<double>(i);
  ASSERT_GT(sum, 0.0);
  const ProcessorReading after = read_after();
  EXPECT_GT(after.wall, before.wall);
  EXPECT_GT(after.thread, before.thread);
  EXPECT_GE(after.processors, 1);
}

}  // namespace
}  // namespace trainwright::executor
