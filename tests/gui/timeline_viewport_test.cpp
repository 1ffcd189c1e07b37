// SPDX-License-Identifier: Apache-2.0
#include "gui/models/timeline_viewport.hpp"

#include <gtest/gtest.h>

namespace trainwright::gui {
namespace {

TimelineLane laneOf(std::vector<TimelineBar> bars) {
  TimelineLane lane;
  lane.bars = std::move(bars);
  fillBusyBefore(lane);
  return lane;
}

TEST(TimelineViewport, ShowsTheWholeStepAtFirst) {
  TimelineViewport view;
  view.fit(2.0, 1000);
  EXPECT_DOUBLE_EQ(view.toPixel(0.0), 0.0);
  EXPECT_DOUBLE_EQ(view.toPixel(2.0), 1000.0);
  EXPECT_DOUBLE_EQ(view.toSeconds(250.0), 0.5);
}

TEST(TimelineViewport, ZoomKeepsTheTimeUnderThePointer) {
  TimelineViewport view;
  view.fit(2.0, 1000);
  const double before = view.toSeconds(300.0);
  view.zoom(4.0, 300.0);
  EXPECT_NEAR(view.toSeconds(300.0), before, 1e-12);
  EXPECT_DOUBLE_EQ(view.span(), 0.5);
}

TEST(TimelineViewport, NeverLeavesTheStep) {
  TimelineViewport view;
  view.fit(2.0, 1000);
  view.zoom(0.1, 500.0);
  EXPECT_DOUBLE_EQ(view.begin(), 0.0);
  EXPECT_DOUBLE_EQ(view.span(), 2.0);
  view.zoom(4.0, 500.0);
  view.panPixels(1e9);
  EXPECT_DOUBLE_EQ(view.begin() + view.span(), 2.0);
  view.panPixels(-1e9);
  EXPECT_DOUBLE_EQ(view.begin(), 0.0);
  view.zoom(1e30, 0.0);
  EXPECT_DOUBLE_EQ(view.span(), 2e-7);
}

TEST(VisibleRuns, WideBarsKeepTheirEdges) {
  TimelineViewport view;
  view.fit(1.0, 100);
  const auto runs = visibleRuns(
      laneOf({{0.1, 0.5, Activity::compute, model::TaskId(0)}, {0.5, 0.75, Activity::tensor, model::TaskId(1)}}), view);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_DOUBLE_EQ(runs[0].from, 10.0);
  EXPECT_DOUBLE_EQ(runs[0].to, 50.0);
  EXPECT_EQ(runs[1].activity, Activity::tensor);
  EXPECT_FALSE(runs[1].merged);
}

TEST(VisibleRuns, CostIsBoundedByPixelsAndNotByBars) {
  TimelineLane lane;
  constexpr int kBars = 1'000'000;
  for (int i = 0; i < kBars; ++i)
    lane.bars.push_back(
        {i * 1e-6, (i + 1) * 1e-6, i % 2 == 0 ? Activity::compute : Activity::tensor, model::TaskId(i)});
  fillBusyBefore(lane);
  TimelineViewport view;
  view.fit(1.0, 800);
  const auto runs = visibleRuns(lane, view);
  EXPECT_GE(runs.size(), 790U);
  EXPECT_LE(runs.size(), 1602U);
  EXPECT_TRUE(runs.front().merged);
  // Pixels are covered from left to right without going back.
  for (std::size_t i = 1; i < runs.size(); ++i)
    EXPECT_GE(runs[i].from, runs[i - 1].from);
  view.show(0.5, 1e-5);
  const auto close = visibleRuns(lane, view);
  EXPECT_GE(close.size(), 10U);
  EXPECT_LE(close.size(), 12U);
  EXPECT_FALSE(close.front().merged);
}

TEST(VisibleRuns, AMergedPixelHasTheColourOfItsLongestBar) {
  TimelineViewport view;
  view.fit(100.0, 100);
  const auto runs = visibleRuns(laneOf({{3.0, 3.1, Activity::compute, model::TaskId(0)},
                                        {3.1, 3.8, Activity::expert, model::TaskId(1)},
                                        {3.8, 3.9, Activity::compute, model::TaskId(2)}}),
                                view);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].activity, Activity::expert);
  EXPECT_EQ(runs[0].bar, 1U);
  EXPECT_TRUE(runs[0].merged);
  EXPECT_NEAR(runs[0].coverage, 0.9, 1e-9);
}

TEST(VisibleRuns, CoverageCountsBarsThatCrossPixels) {
  // Bars of 0.6 s with gaps of 0.2 s, one second a pixel: over many pixels three quarters are busy.
  TimelineLane lane;
  for (int i = 0; i < 125; ++i)
    lane.bars.push_back({i * 0.8, i * 0.8 + 0.6, Activity::compute, model::TaskId(i)});
  fillBusyBefore(lane);
  TimelineViewport view;
  view.fit(100.0, 100);
  double busy = 0.0;
  double last = -1.0;
  for (const PixelRun& run : visibleRuns(lane, view)) {
    EXPECT_GT(run.from, last) << "no pixel twice";
    last = run.from;
    busy += run.coverage * (run.to - run.from);
  }
  EXPECT_NEAR(busy, 75.0, 1e-6);
}

TEST(VisibleRuns, SkipsWhatIsOutside) {
  TimelineViewport view;
  view.fit(1.0, 100);
  view.show(0.4, 0.2);
  const auto runs = visibleRuns(laneOf({{0.0, 0.1, Activity::compute, model::TaskId(0)},
                                        {0.35, 0.45, Activity::tensor, model::TaskId(1)},
                                        {0.7, 0.9, Activity::compute, model::TaskId(2)}}),
                                view);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].bar, 1U);
}

TEST(BarAt, FindsTheBarUnderATime) {
  const TimelineLane lane =
      laneOf({{0.1, 0.2, Activity::compute, model::TaskId(0)}, {0.3, 0.4, Activity::compute, model::TaskId(1)}});
  EXPECT_EQ(barAt(lane, 0.15, 0.0), 0);
  EXPECT_EQ(barAt(lane, 0.35, 0.0), 1);
  EXPECT_EQ(barAt(lane, 0.25, 0.0), -1);
  EXPECT_EQ(barAt(lane, 0.29, 0.02), 1);
  EXPECT_EQ(barAt(lane, 0.9, 0.01), -1);
}

TEST(TickStep, IsOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(tickStep(1.0, 10), 0.1);
  EXPECT_DOUBLE_EQ(tickStep(1.0, 6), 0.2);
  EXPECT_DOUBLE_EQ(tickStep(80.0, 6), 20.0);
  EXPECT_DOUBLE_EQ(tickStep(3e-6, 10), 5e-7);
}

}  // namespace
}  // namespace trainwright::gui
