// The formula of a segment against times worked out by hand.
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/segment.hpp"

#include <gtest/gtest.h>

namespace trainwright::simulator {
namespace {

SegmentOp compute(int task, int after_collective = -1) {
  return {task, false, -1, after_collective};
}
SegmentOp collective(int task, int work, int after_compute) {
  return {task, true, work, after_compute};
}

// Compute 0 (1 s), collective (0.5 s) after it, compute 2 (2 s) after that.
const Segment kChain{{compute(0), collective(1, 0, 0), compute(2, 0)}};

TEST(Segment, OfOneRankIsASum) {
  const std::vector<double> seconds{1.0, 0.0, 2.0};
  const std::vector<double> comm{0.5};
  std::vector<SegmentMember> members{{10.0, seconds.data(), nullptr, 0.0}};
  evaluate(kChain, members, {comm.data(), 0.0, 0.0}, nullptr);
  EXPECT_DOUBLE_EQ(members[0].end, 13.5);
}

TEST(Segment, CollectiveWaitsForTheSlowestMember) {
  const std::vector<double> fast{1.0, 0.0, 2.0};
  const std::vector<double> slow{3.0, 0.0, 1.0};
  const std::vector<double> comm{0.5};
  std::vector<SegmentMember> members{{0.0, fast.data(), nullptr, 0.0}, {0.25, slow.data(), nullptr, 0.0}};
  SegmentTrace trace;
  evaluate(kChain, members, {comm.data(), 0.0, 0.0}, &trace);
  EXPECT_DOUBLE_EQ(trace.start[1], 3.25);
  EXPECT_DOUBLE_EQ(trace.end[4], 3.75);
  EXPECT_DOUBLE_EQ(members[0].end, 5.75);
  EXPECT_DOUBLE_EQ(members[1].end, 4.75);
}

TEST(Segment, ComputeBesideACollectiveIsSlowedWhileItRuns) {
  // Compute 0 (1 s); collective (1 s) after it; beside it compute 2 (1 s); compute 3 (1 s) needs both.
  const Segment segment{{compute(0), collective(1, 0, 0), compute(2), compute(3, 0)}};
  const std::vector<double> seconds{1.0, 0.0, 1.0, 1.0};
  const std::vector<double> comm{1.0};
  std::vector<SegmentMember> members{{0.0, seconds.data(), nullptr, 0.0}};
  SegmentTrace trace;
  evaluate(segment, members, {comm.data(), 0.0, 0.25}, &trace);
  // From 1 to 2 it does 0.75, the rest alone.
  EXPECT_DOUBLE_EQ(trace.end[2], 2.25);
  EXPECT_DOUBLE_EQ(members[0].end, 3.25);
}

TEST(Segment, CollectivesBackToBackAroundAnEmptyComputeBothCount) {
  // Compute 0 (1 s), collective 1 (1 s) after it, compute 2 (nothing) after that, collective 3 (1 s) after that; beside
  // it compute 4 (1 s).
  const Segment segment{{compute(0), collective(1, 0, 0), compute(2, 0), collective(3, 0, 1), compute(4)}};
  const std::vector<double> seconds{1.0, 0.0, 0.0, 0.0, 1.0};
  const std::vector<double> comm{1.0};
  std::vector<SegmentMember> members{{0.0, seconds.data(), nullptr, 0.0}};
  evaluate(segment, members, {comm.data(), 0.0, 0.5}, nullptr);
  EXPECT_DOUBLE_EQ(members[0].end, 3.5);
}

TEST(Segment, HistoryOfOutsideCommunicationCounts) {
  const Segment segment{{compute(0)}};
  const std::vector<double> seconds{2.0};
  CommHistory history;
  history.begin(0.5);
  history.begin(0.6);
  history.end(0.9);
  history.end(1.5);
  std::vector<SegmentMember> members{{0.0, seconds.data(), &history, 0.0}};
  evaluate(segment, members, {nullptr, 0.0, 0.5}, nullptr);
  EXPECT_DOUBLE_EQ(members[0].end, 2.5);
}

TEST(Segment, RunningCommunicationIsTakenToGoOn) {
  const Segment segment{{compute(0)}};
  const std::vector<double> seconds{2.0};
  CommHistory history;
  history.begin(1.0);
  std::vector<SegmentMember> members{{0.0, seconds.data(), &history, 0.0}};
  evaluate(segment, members, {nullptr, 0.0, 0.5}, nullptr);
  EXPECT_DOUBLE_EQ(members[0].end, 3.0);
}

TEST(Segment, DispatchDelaysEveryCollective) {
  const std::vector<double> seconds{1.0, 0.0, 2.0};
  const std::vector<double> comm{0.5};
  std::vector<SegmentMember> members{{0.0, seconds.data(), nullptr, 0.0}};
  evaluate(kChain, members, {comm.data(), 0.125, 0.0}, nullptr);
  EXPECT_DOUBLE_EQ(members[0].end, 3.625);
}

TEST(Segment, RanksThatAreAlikeGetTheSameEndAsEvaluatedOneByOne) {
  const std::vector<double> seconds{1.0, 0.0, 2.0};
  const std::vector<double> comm{0.5};
  std::vector<SegmentMember> quick(4, {1.0, seconds.data(), nullptr, 0.0});
  std::vector<SegmentMember> traced = quick;
  SegmentTrace trace;
  evaluate(kChain, quick, {comm.data(), 0.0, 0.3}, nullptr);
  evaluate(kChain, traced, {comm.data(), 0.0, 0.3}, &trace);
  for (std::size_t m = 0; m < quick.size(); ++m)
    EXPECT_EQ(quick[m].end, traced[m].end);
}

}  // namespace
}  // namespace trainwright::simulator
