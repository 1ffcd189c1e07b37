// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/item_intervals.hpp"

#include <algorithm>

namespace trainwright::simulator {

std::vector<TaskInterval> ItemIntervals::of(int sim, int item) const {
  const Item& it = times_.item(sim, item);
  const double end = times_.end(sim, item);
  switch (it.kind) {
    case ItemKind::compute:
    case ItemKind::segment:
      return of_segment(sim, item);
    case ItemKind::collective:
      return {{it.first_task, collective_start(sim, item), end}};
    case ItemKind::send:
    case ItemKind::receive:
    case ItemKind::host_io:
      return {{it.first_task, std::min(end, times_.ready(sim, item) + plan_.dispatch), end}};
  }
  return {};
}

std::pair<int, int> ItemIntervals::last_arrival(int sim, int item) const {
  const Item& it = times_.item(sim, item);
  const CommWork& work = plan_.catalog.works[static_cast<std::size_t>(it.work)];
  const auto key =
      static_cast<std::size_t>(work.collective.axis) * model::kStreamCount + static_cast<std::size_t>(it.stream);
  const int group =
      plan_.ranks[static_cast<std::size_t>(sim)].group_of_siblings[static_cast<std::size_t>(work.siblings)];
  std::pair<int, int> last{sim, item};
  double latest = times_.ready(sim, item);
  for (const int member : plan_.groups[static_cast<std::size_t>(group)].members) {
    const std::vector<int>& meetings = plan_.ranks[static_cast<std::size_t>(member)].items->meetings[key];
    if (member == sim || static_cast<std::size_t>(it.meeting) >= meetings.size())
      continue;
    const int other = meetings[static_cast<std::size_t>(it.meeting)];
    if (const double ready = times_.ready(member, other); ready > latest) {
      latest = ready;
      last = {member, other};
    }
  }
  return last;
}

double ItemIntervals::collective_start(int sim, int item) const {
  const auto [member, other] = last_arrival(sim, item);
  return std::min(times_.end(sim, item), times_.ready(member, other) + plan_.dispatch);
}

double ItemIntervals::busy(int sim, int item) const {
  const Item& it = times_.item(sim, item);
  if (it.stream != model::Stream::compute || (it.kind != ItemKind::compute && it.kind != ItemKind::segment))
    return 0.0;
  double sum = 0.0;
  for (const TaskInterval& interval : of_segment(sim, item))
    if (!std::holds_alternative<model::CollectiveWork>(times_.task(sim, interval.task).work))
      sum += interval.end - interval.start;
  return sum;
}

double ItemIntervals::busy(int sim) const {
  double sum = 0.0;
  for (std::size_t item = 0; item < record_.end[static_cast<std::size_t>(sim)].size(); ++item)
    sum += busy(sim, static_cast<int>(item));
  return sum;
}

std::vector<TaskInterval> ItemIntervals::of_segment(int sim, int item) const {
  const Segment& segment = times_.segment(sim, item);
  const double ready = times_.ready(sim, item);
  if (plan_.shares_cores)
    return stretched(sim, item, ready);
  // The members of the segment's group, all evaluated again: the same numbers as in the run.
  std::vector<int> sims{sim};
  if (times_.item(sim, item).kind == ItemKind::segment)
    sims = plan_.groups[static_cast<std::size_t>(plan_.ranks[static_cast<std::size_t>(sim)].segment_group)].members;
  std::vector<SegmentMember> members;
  std::size_t own = 0;
  for (const int s : sims) {
    if (s == sim)
      own = members.size();
    members.push_back(times_.member(s, times_.ready(s, item)));
    if (times_.item(sim, item).stream != model::Stream::compute)
      members.back().history = nullptr;
  }
  SegmentTrace trace;
  evaluate(segment, members, times_.segment_times(sim), &trace);
  std::vector<TaskInterval> result;
  for (std::size_t op = 0; op < segment.ops.size(); ++op) {
    const std::size_t at = own * segment.ops.size() + op;
    result.push_back({segment.ops[op].task, trace.start[at], trace.end[at]});
  }
  return result;
}

// On shared cores only the end of a run of computes is known: its tasks share the time as they share the work.
std::vector<TaskInterval> ItemIntervals::stretched(int sim, int item, double ready) const {
  const std::vector<double>& seconds = *plan_.ranks[static_cast<std::size_t>(sim)].task_seconds;
  const Segment& segment = times_.segment(sim, item);
  double total = 0.0;
  for (const SegmentOp& op : segment.ops)
    total += seconds[static_cast<std::size_t>(op.task)];
  const double factor = total > 0.0 ? (times_.end(sim, item) - ready) / total : 0.0;
  std::vector<TaskInterval> result;
  double at = ready;
  for (const SegmentOp& op : segment.ops) {
    const double end = at + seconds[static_cast<std::size_t>(op.task)] * factor;
    result.push_back({op.task, at, end});
    at = end;
  }
  return result;
}

}  // namespace trainwright::simulator
