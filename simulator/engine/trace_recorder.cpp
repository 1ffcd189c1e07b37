// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/trace_recorder.hpp"

#include <algorithm>

#include "simulator/engine/item_intervals.hpp"

namespace trainwright::simulator {

double step_seconds(const RunRecord& record) {
  double step = 0.0;
  for (const std::vector<double>& ends : record.end)
    for (const double end : ends)
      step = std::max(step, end);
  return step;
}

std::vector<model::Seconds> stage_busy(const RunPlan& plan, const RunRecord& record) {
  const ItemIntervals intervals(plan, record);
  std::vector<model::Seconds> busy;
  for (int stage = 0; stage < plan.scene.graph.placement().layout().pp; ++stage) {
    const auto found = std::find_if(plan.ranks.begin(), plan.ranks.end(), [&](const SimRank& rank) {
      return plan.scene.graph.placement().stage(rank.rank).value() == stage;
    });
    busy.emplace_back(intervals.busy(static_cast<int>(found - plan.ranks.begin())));
  }
  return busy;
}

model::Timeline record_timeline(const RunPlan& plan, const RunRecord& record, const std::vector<int>& sims) {
  const ItemIntervals intervals(plan, record);
  model::Timeline timeline;
  for (const int sim : sims) {
    const SimRank& rank = plan.ranks[static_cast<std::size_t>(sim)];
    model::RankTimeline lane{rank.rank, rank.represents, {}};
    for (std::size_t item = 0; item < rank.items->items.size(); ++item)
      for (const TaskInterval& interval : intervals.of(sim, static_cast<int>(item)))
        lane.intervals.push_back(
            {model::TaskId(interval.task), model::Seconds(interval.start), model::Seconds(interval.end)});
    std::stable_sort(lane.intervals.begin(), lane.intervals.end(),
                     [](const model::Interval& a, const model::Interval& b) {
                       return a.start < b.start || (a.start == b.start && a.task < b.task);
                     });
    timeline.ranks.push_back(std::move(lane));
  }
  return timeline;
}

}  // namespace trainwright::simulator
