// A timeline arranged for drawing: ranks, each with one lane per stream that has work, bars sorted by start. Made once,
// on a worker thread, and shared read-only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gui/timeline/activity.hpp"
#include "model/estimate/timeline.hpp"

namespace trainwright::gui {

struct TimelineBar {
  double start = 0.0;  ///< seconds from the start of the step
  double end = 0.0;
  Activity activity = Activity::idle;
  model::TaskId task = model::TaskId(0);
};

struct TimelineLane {
  model::Stream stream = model::Stream::compute;
  std::vector<TimelineBar> bars;
  double busy = 0.0;               ///< seconds
  std::vector<double> busyBefore;  ///< seconds in the bars before each bar, and one more: in all
};

struct TimelineRank {
  model::RankId rank = model::RankId(0);
  int represents = 1;
  std::vector<TimelineLane> lanes;
};

struct TimelineData {
  std::vector<TimelineRank> ranks;
  double end = 0.0;  ///< seconds
  std::size_t bars = 0;
};

/// Brings `busyBefore` and `busy` in line with the bars.
void fillBusyBefore(TimelineLane& lane);

/// The task behind an interval of a rank.
using TaskLookup = std::function<model::Task(model::RankId, model::TaskId)>;

[[nodiscard]] std::shared_ptr<const TimelineData> arrangeTimeline(const model::Timeline& timeline,
                                                                  const TaskLookup& taskOf);

}  // namespace trainwright::gui
