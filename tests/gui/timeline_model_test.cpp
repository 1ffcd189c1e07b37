// SPDX-License-Identifier: Apache-2.0
#include "gui/models/timeline_model.hpp"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/roles.hpp"
#include "tests/gui/support/model_text.hpp"

namespace trainwright::gui {
namespace {

model::Task taskOn(model::Stream stream, model::Work work, model::Pass pass = model::Pass::forward) {
  model::Task task;
  task.stream = stream;
  task.work = std::move(work);
  task.phase.pass = pass;
  return task;
}

/// Tasks 0 .. 3 of every rank: compute, TP all-reduce, recompute, send.
model::Task sampleTask(model::RankId /*rank*/, model::TaskId id) {
  switch (id.value()) {
    case 0:
      return taskOn(model::Stream::compute, model::GemmWork{});
    case 1:
      return taskOn(model::Stream::tensor,
                    model::CollectiveWork{model::CollectiveKind::all_reduce, model::GroupAxis::tensor,
                                          model::ByteCount(1024), model::Precision::bf16});
    case 2:
      return taskOn(model::Stream::compute, model::GemmWork{}, model::Pass::recompute);
    default:
      return taskOn(model::Stream::send_forward, model::TransferWork{});
  }
}

model::Interval interval(int task, double start, double end) {
  return {model::TaskId(task), model::Seconds(start), model::Seconds(end)};
}

std::shared_ptr<const TimelineData> sample() {
  model::Timeline timeline;
  timeline.ranks.push_back(
      {model::RankId(0), 4, {interval(2, 0.5, 0.8), interval(0, 0.0, 0.4), interval(1, 0.4, 0.5)}});
  timeline.ranks.push_back({model::RankId(4), 1, {interval(0, 0.2, 1.0), interval(3, 0.1, 0.2)}});
  return arrangeTimeline(timeline, sampleTask);
}

TEST(ArrangeTimeline, SortsBarsIntoLanes) {
  const auto data = sample();
  ASSERT_EQ(data->ranks.size(), 2U);
  EXPECT_DOUBLE_EQ(data->end, 1.0);
  EXPECT_EQ(data->bars, 5U);
  const TimelineLane& compute = data->ranks[0].lanes[0];
  EXPECT_EQ(compute.stream, model::Stream::compute);
  ASSERT_EQ(compute.bars.size(), 2U);
  EXPECT_EQ(compute.bars[0].task, model::TaskId(0));
  EXPECT_EQ(compute.bars[0].activity, Activity::compute);
  EXPECT_EQ(compute.bars[1].activity, Activity::recompute);
  EXPECT_EQ(data->ranks[0].lanes[1].bars[0].activity, Activity::tensor);
  EXPECT_EQ(data->ranks[1].lanes[1].bars[0].activity, Activity::pipeline);
}

TEST(TimelineModel, IsATreeOfRanksAndStreams) {
  TimelineModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setFormat(DisplayFormat(QLocale(QLocale::English, QLocale::UnitedStates)));
  model.setTimeline(sample());
  EXPECT_EQ(testing_support::headerText(model), "Rank and stream | Busy | Share of the step | Tasks");
  EXPECT_EQ(testing_support::modelText(model),
            "rank 0 (and 3 alike) | 700 ms | 70.0 % | 3\n"
            "  compute | 700 ms | 70.0 % | 2\n"
            "  TP, CP, EP | 100 ms | 10.0 % | 1\n"
            "rank 4 | 800 ms | 80.0 % | 2\n"
            "  compute | 800 ms | 80.0 % | 1\n"
            "  send forward | 100 ms | 10.0 % | 1\n");
}

TEST(TimelineModel, IsEmptyWithoutATimeline) {
  TimelineModel model;
  model.setTimeline(sample());
  model.setTimeline(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace trainwright::gui
