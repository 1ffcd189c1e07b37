// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/step_trace.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/base/contract.hpp"
#include "simulator/engine/item_times.hpp"

namespace trainwright::simulator {
namespace {

using model::StepPart;

double last_end(const RunRecord& record, std::size_t sim) {
  const std::vector<double>& ends = record.end[sim];
  return ends.empty() ? 0.0 : *std::max_element(ends.begin(), ends.end());
}

struct TaskInterval {
  int task = 0;
  double start = 0.0;
  double end = 0.0;
};

StepPart part_of_axis(model::GroupAxis axis) {
  switch (axis) {
    case model::GroupAxis::tensor:
      return StepPart::exposed_tensor;
    case model::GroupAxis::context:
      return StepPart::exposed_context;
    case model::GroupAxis::expert:
      return StepPart::exposed_expert;
    case model::GroupAxis::pipeline:
      return StepPart::exposed_pipeline;
    case model::GroupAxis::data:
    case model::GroupAxis::data_context:
    case model::GroupAxis::embedding:
    case model::GroupAxis::world:
      return StepPart::exposed_data;
  }
  return StepPart::exposed_data;
}

StepPart part_of_compute(const model::Task& task) {
  switch (task.phase.pass) {
    case model::Pass::recompute:
      return StepPart::recompute;
    case model::Pass::optimizer:
      return StepPart::optimizer;
    case model::Pass::data_load:
      return StepPart::data_stall;
    case model::Pass::checkpoint:
      return StepPart::checkpoint_stall;
    case model::Pass::forward:
    case model::Pass::backward:
    case model::Pass::gradient_sync:
      return StepPart::compute;
  }
  return StepPart::compute;
}

class Trace {
 public:
  Trace(const RunPlan& plan, const RunRecord& record) : plan_(plan), record_(record), times_(plan, record) {}

  [[nodiscard]] const ItemTimes& times() const { return times_; }

  /// Every task of an item with the times on its rank.
  [[nodiscard]] std::vector<TaskInterval> intervals(int sim, int item) const {
    const Item& it = times_.item(sim, item);
    const double end = times_.end(sim, item);
    switch (it.kind) {
      case ItemKind::compute:
      case ItemKind::segment:
        return segment_intervals(sim, item);
      case ItemKind::collective:
        return {{it.first_task, collective_start(sim, item), end}};
      case ItemKind::send:
      case ItemKind::receive:
      case ItemKind::host_io:
        return {{it.first_task, std::min(end, times_.ready(sim, item) + plan_.dispatch), end}};
    }
    return {};
  }

  /// Simulated rank and item of the member that got to a collective last.
  [[nodiscard]] std::pair<int, int> last_arrival(int sim, int item) const {
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

  [[nodiscard]] double collective_start(int sim, int item) const {
    const auto [member, other] = last_arrival(sim, item);
    return std::min(times_.end(sim, item), times_.ready(member, other) + plan_.dispatch);
  }

  /// Busy time of the device in an item.
  [[nodiscard]] double busy(int sim, int item) const {
    const Item& it = times_.item(sim, item);
    if (it.stream != model::Stream::compute || (it.kind != ItemKind::compute && it.kind != ItemKind::segment))
      return 0.0;
    double sum = 0.0;
    for (const TaskInterval& interval : segment_intervals(sim, item))
      if (!is_collective(sim, interval.task))
        sum += interval.end - interval.start;
    return sum;
  }

  [[nodiscard]] bool is_collective(int sim, int task) const {
    return std::holds_alternative<model::CollectiveWork>(times_.task(sim, task).work);
  }

 private:
  std::vector<TaskInterval> segment_intervals(int sim, int item) const {
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
  std::vector<TaskInterval> stretched(int sim, int item, double ready) const {
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

  const RunPlan& plan_;
  const RunRecord& record_;
  ItemTimes times_;
};

class BreakdownWalk {
 public:
  BreakdownWalk(const RunPlan& plan, const RunRecord& record, int sim)
      : plan_(plan), record_(record), trace_(plan, record), sim_(sim) {}

  model::Breakdown run(double step) {
    double at = 0.0;
    const std::vector<int>& stream =
        plan_.ranks[static_cast<std::size_t>(sim_)].items->streams[static_cast<std::size_t>(model::Stream::compute)];
    for (const int item : stream)
      at = walk_item(item, at);
    const double own_end = last_end(record_, static_cast<std::size_t>(sim_));
    if (at < own_end)
      explain(at, own_end, last_item());
    // Others still work when this rank is done.
    add(StepPart::bubble, step - std::max(at, own_end));
    settle(step);
    return breakdown_;
  }

 private:
  void add(StepPart part, double seconds) { breakdown_[static_cast<std::size_t>(part)] += seconds; }

  double walk_item(int item, double at) {
    const ItemTimes& times = trace_.times();
    const Item& it = times.item(sim_, item);
    if (it.kind != ItemKind::compute && it.kind != ItemKind::segment) {
      // A collective on the compute stream.
      const double end = times.end(sim_, item);
      explain_item(at, end, sim_, item, std::nullopt);
      return std::max(at, end);
    }
    const double ready = times.ready(sim_, item);
    if (ready > at) {
      explain(at, ready, times.last_predecessor(sim_, item));
      at = ready;
    }
    StepPart waiting = StepPart::exposed_tensor;
    for (const TaskInterval& interval : trace_.intervals(sim_, item)) {
      const model::Task& task = times.task(sim_, interval.task);
      if (const auto* work = std::get_if<model::CollectiveWork>(&task.work)) {
        waiting = part_of_axis(work->axis);
        continue;
      }
      if (interval.start > at)
        add(waiting, interval.start - at);
      const double length = interval.end - std::max(at, interval.start);
      const double alone =
          (*plan_.ranks[static_cast<std::size_t>(sim_)].task_seconds)[static_cast<std::size_t>(interval.task)];
      const double host = alone > 0.0 ? length * plan_.dispatch / alone : 0.0;
      add(StepPart::host, host);
      add(part_of_compute(task), length - host);
      at = std::max(at, interval.end);
    }
    const double end = times.end(sim_, item);
    if (end > at)
      add(waiting, end - at);
    return std::max(at, end);
  }

  [[nodiscard]] int last_item() const {
    const std::vector<double>& ends = record_.end[static_cast<std::size_t>(sim_)];
    return static_cast<int>(std::max_element(ends.begin(), ends.end()) - ends.begin());
  }

  // Why nothing was computed from `from` to `to`, when `item` of this rank ended.
  void explain(double from, double to, int item) {
    if (item < 0) {
      add(StepPart::bubble, to - from);
      return;
    }
    explain_item(from, to, sim_, item, std::nullopt);
  }

  // Goes back through what ended last. `outside`: what compute on other ranks counts as, once the chain has left this
  // one.
  void explain_item(double from, double to, int sim, int item, std::optional<StepPart> outside) {
    const ItemTimes& times = trace_.times();
    double time = to;
    while (time > from) {
      const Item& it = times.item(sim, item);
      const model::Task& task = times.task(sim, it.first_task);
      double start = times.ready(sim, item);
      StepPart part = StepPart::bubble;
      switch (it.kind) {
        case ItemKind::compute:
        case ItemKind::segment:
          part = sim == sim_ ? part_of_compute(task) : outside.value_or(StepPart::bubble);
          break;
        case ItemKind::collective: {
          const auto [member, other] = trace_.last_arrival(sim, item);
          part = part_of_axis(std::get<model::CollectiveWork>(task.work).axis);
          if (member != sim_ && !outside)
            outside = part;
          sim = member;
          item = other;
          start = times.ready(sim, item);
          break;
        }
        case ItemKind::send:
          part = StepPart::exposed_pipeline;
          break;
        case ItemKind::receive: {
          const double message = record_.message_at[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)];
          const auto [sender, send] = sender_of(sim, item);
          if (message < start || sender < 0) {
            part = StepPart::exposed_pipeline;
            break;
          }
          // The message came last: on to its sender, in no time.
          if (!outside)
            outside = StepPart::bubble;
          add(StepPart::exposed_pipeline, std::max(0.0, time - std::max(from, message)));
          time = std::min(time, message);
          sim = sender;
          item = send;
          continue;
        }
        case ItemKind::host_io:
          part = std::get<model::HostIoWork>(task.work).is_write ? StepPart::checkpoint_stall : StepPart::data_stall;
          break;
      }
      const double begin = std::max(from, std::min(start, time));
      add(part, time - begin);
      time = begin;
      const int before = times.last_predecessor(sim, item);
      if (before < 0)
        break;
      item = before;
    }
    if (time > from)
      add(StepPart::bubble, time - from);
  }

  std::pair<int, int> sender_of(int sim, int item) {
    const auto& work =
        std::get<model::TransferWork>(trace_.times().task(sim, trace_.times().item(sim, item).first_task).work);
    const model::Placement& placement = plan_.scene.graph.placement();
    const int sender =
        plan_.sim_of_rank[placement.at_stage(plan_.ranks[static_cast<std::size_t>(sim)].rank, work.peer).index()];
    const auto found = plan_.receive_of_send.find(
        {plan_.ranks[static_cast<std::size_t>(sender)].items, plan_.ranks[static_cast<std::size_t>(sim)].items});
    if (found == plan_.receive_of_send.end())
      return {-1, -1};
    const auto send = std::find(found->second.begin(), found->second.end(), item);
    if (send == found->second.end())
      return {-1, -1};
    return {sender, static_cast<int>(send - found->second.begin())};
  }

  // The parts tile the step up to rounding; the largest takes the difference.
  void settle(double step) {
    double sum = 0.0;
    for (const double part : breakdown_)
      sum += part;
    TRAINWRIGHT_ENSURES(std::fabs(sum - step) <= 1e-6 * std::max(step, 1e-3),
                        std::to_string(sum) + " s explained of " + std::to_string(step) + " s");
    *std::max_element(breakdown_.begin(), breakdown_.end()) += step - sum;
  }

  const RunPlan& plan_;
  const RunRecord& record_;
  Trace trace_;
  int sim_;
  model::Breakdown breakdown_{};
};

double busy_of(const Trace& trace, const RunRecord& record, int sim) {
  double sum = 0.0;
  for (std::size_t item = 0; item < record.end[static_cast<std::size_t>(sim)].size(); ++item)
    sum += trace.busy(sim, static_cast<int>(item));
  return sum;
}

}  // namespace

double step_seconds(const RunRecord& record) {
  double step = 0.0;
  for (std::size_t sim = 0; sim < record.end.size(); ++sim)
    step = std::max(step, last_end(record, sim));
  return step;
}

model::Breakdown break_down_step(const RunPlan& plan, const RunRecord& record, double step) {
  // One candidate for each program is enough: ranks of a program do the same.
  const Trace trace(plan, record);
  std::map<int, int> first_of_program;
  for (std::size_t sim = 0; sim < plan.ranks.size(); ++sim)
    first_of_program.try_emplace(plan.ranks[sim].program, static_cast<int>(sim));
  int chosen = 0;
  double most = -1.0;
  for (const auto& [program, sim] : first_of_program)
    if (const double busy = busy_of(trace, record, sim); busy > most) {
      most = busy;
      chosen = sim;
    }
  return BreakdownWalk(plan, record, chosen).run(step);
}

std::vector<model::Seconds> stage_busy(const RunPlan& plan, const RunRecord& record) {
  const Trace trace(plan, record);
  std::vector<model::Seconds> busy;
  for (int stage = 0; stage < plan.scene.graph.placement().layout().pp; ++stage) {
    const auto found = std::find_if(plan.ranks.begin(), plan.ranks.end(), [&](const SimRank& rank) {
      return plan.scene.graph.placement().stage(rank.rank).value() == stage;
    });
    busy.emplace_back(busy_of(trace, record, static_cast<int>(found - plan.ranks.begin())));
  }
  return busy;
}

model::Timeline record_timeline(const RunPlan& plan, const RunRecord& record, const std::vector<int>& sims) {
  const Trace trace(plan, record);
  model::Timeline timeline;
  for (const int sim : sims) {
    const SimRank& rank = plan.ranks[static_cast<std::size_t>(sim)];
    model::RankTimeline lane{rank.rank, rank.represents, {}};
    for (std::size_t item = 0; item < rank.items->items.size(); ++item)
      for (const TaskInterval& interval : trace.intervals(sim, static_cast<int>(item)))
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
