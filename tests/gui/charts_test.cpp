// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QImage>
#include <QLineSeries>
#include <ctime>
#include <set>

#include "gui/charts/breakdown_bar.hpp"
#include "gui/charts/memory_chart.hpp"
#include "gui/charts/timeline_view.hpp"
#include "gui/delegates/bar_delegate.hpp"
#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui {
namespace {

std::shared_ptr<const model::Estimate> sample() {
  return std::make_shared<const model::Estimate>(testing_support::sampleEstimate());
}

TEST(BreakdownBar, PartsFillTheWidth) {
  BreakdownModel model;
  model.setEstimate(sample());
  const std::vector<double> edges = BreakdownBar::edges(model, 200.0);
  ASSERT_EQ(edges.size(), 4U);
  EXPECT_DOUBLE_EQ(edges[1], 120.0);
  EXPECT_DOUBLE_EQ(edges[2], 170.0);
  EXPECT_DOUBLE_EQ(edges[3], 200.0);
}

TEST(BreakdownBar, PaintsEachPartInItsColour) {
  BreakdownModel model;
  model.setEstimate(sample());
  const Theme theme;
  BreakdownBar bar(model, theme);
  bar.resize(400, 40);
  const QImage image = bar.grab().toImage();
  EXPECT_EQ(image.pixelColor(230, 2), theme.activityColor(Activity::compute));
  EXPECT_EQ(image.pixelColor(330, 2), theme.activityColor(Activity::tensor));
}

TEST(MemoryChart, HasABarForEachTermAndACapacityLine) {
  MemoryModel model;
  model.setEstimate(sample());
  const Theme theme;
  const MemoryChart chart(model, theme);
  ASSERT_EQ(chart.chart()->series().size(), 2);
  const auto* bars = qobject_cast<QHorizontalStackedBarSeries*>(chart.chart()->series().at(0));
  const auto* line = qobject_cast<QLineSeries*>(chart.chart()->series().at(1));
  ASSERT_NE(bars, nullptr);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(bars->count(), 3);
  // Stage 0 is on top, which a category axis counts last.
  EXPECT_DOUBLE_EQ(bars->barSets().at(1)->at(1), 30.0);
  EXPECT_DOUBLE_EQ(bars->barSets().at(1)->at(0), 15.0);
  EXPECT_DOUBLE_EQ(line->at(0).x(), 80.0);
}

TEST(BarDelegate, BarIsTheShareOfTheCell) {
  EXPECT_EQ(BarDelegate::barRect(QRect(10, 0, 100, 20), 0.25), QRect(10, 0, 25, 20));
  EXPECT_EQ(BarDelegate::barRect(QRect(10, 0, 100, 20), 7.0), QRect(10, 0, 100, 20));
  EXPECT_EQ(BarDelegate::barRect(QRect(10, 0, 100, 20), -1.0).width(), 0);
}

TEST(Theme, EveryActivityLooksDifferent) {
  const Theme theme;
  std::set<QRgb> colors;
  for (std::size_t i = 0; i < kActivityCount; ++i)
    colors.insert(theme.activityColor(static_cast<Activity>(i)).rgb());
  EXPECT_EQ(colors.size(), kActivityCount);
}

TEST(Theme, TextReadsOnEveryColour) {
  EXPECT_EQ(Theme::textOn(QColor(Qt::white)), QColor(Qt::black));
  EXPECT_EQ(Theme::textOn(QColor(Qt::black)), QColor(Qt::white));
}

TEST(TimelineView, PaintsAMillionBarsQuickly) {
  auto data = std::make_shared<TimelineData>();
  constexpr int kRanks = 20;
  constexpr int kBars = 50'000;
  for (int r = 0; r < kRanks; ++r) {
    TimelineLane lane;
    for (int i = 0; i < kBars; ++i)
      lane.bars.push_back(
          {i * 1e-5, (i + 1) * 1e-5, i % 3 == 0 ? Activity::tensor : Activity::compute, model::TaskId(i)});
    fillBusyBefore(lane);
    data->ranks.push_back({model::RankId(r), 1, {std::move(lane)}});
  }
  data->end = kBars * 1e-5;
  data->bars = kRanks * kBars;
  const Theme theme;
  TimelineView view(theme);
  view.resize(1200, 800);
  view.setTimeline(data);
  static_cast<void>(view.grab());
  constexpr int kFrames = 5;
  const std::clock_t before = std::clock();  // time of this process: a busy machine does not count
  for (int i = 0; i < kFrames; ++i) {
    view.zoomBy(1.3);
    static_cast<void>(view.grab());
  }
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / kFrames;
  RecordProperty("milliseconds_a_frame", static_cast<int>(seconds * 1e3));
  // Painting each bar would take seconds.
  EXPECT_LT(seconds, 0.3);
}

}  // namespace
}  // namespace trainwright::gui
