// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/timeline_data.hpp"

#include <algorithm>
#include <array>

namespace trainwright::gui {

void fillBusyBefore(TimelineLane& lane) {
  lane.busyBefore.assign(1, 0.0);
  lane.busyBefore.reserve(lane.bars.size() + 1);
  for (const TimelineBar& bar : lane.bars)
    lane.busyBefore.push_back(lane.busyBefore.back() + (bar.end - bar.start));
  lane.busy = lane.busyBefore.back();
}

std::shared_ptr<const TimelineData> arrangeTimeline(const model::Timeline& timeline, const TaskLookup& taskOf) {
  auto data = std::make_shared<TimelineData>();
  data->ranks.reserve(timeline.ranks.size());
  for (const model::RankTimeline& source : timeline.ranks) {
    std::array<TimelineLane, model::kStreamCount> lanes;
    for (const model::Interval& interval : source.intervals) {
      const model::Task task = taskOf(source.rank, interval.task);
      TimelineLane& lane = lanes[static_cast<std::size_t>(task.stream)];
      const double start = interval.start.count();
      const double end = interval.end.count();
      lane.bars.push_back({start, end, activityOf(task), interval.task});
      data->end = std::max(data->end, end);
      ++data->bars;
    }
    TimelineRank rank{source.rank, source.represents, {}};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i].bars.empty())
        continue;
      lanes[i].stream = static_cast<model::Stream>(i);
      std::stable_sort(lanes[i].bars.begin(), lanes[i].bars.end(),
                       [](const TimelineBar& a, const TimelineBar& b) { return a.start < b.start; });
      fillBusyBefore(lanes[i]);
      rank.lanes.push_back(std::move(lanes[i]));
    }
    data->ranks.push_back(std::move(rank));
  }
  return data;
}

}  // namespace trainwright::gui
