// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/step_breakdown.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "model/base/contract.hpp"
#include "simulator/engine/item_intervals.hpp"

namespace trainwright::simulator {
namespace {

using model::StepPart;

double last_end(const RunRecord& record, std::size_t sim) {
  const std::vector<double>& ends = record.end[sim];
  return ends.empty() ? 0.0 : *std::max_element(ends.begin(), ends.end());
}

StepPart part_of_axis(model::GroupAxis axis) {
  switch (axis) {
    case model::GroupAxis::tensor:
      return StepPart::exposed_tensor;
    case model::GroupAxis::context:
      return StepPart::exposed_context;
    case model::GroupAxis::expert:
    case model::GroupAxis::expert_tensor:
      return StepPart::exposed_expert;
    case model::GroupAxis::pipeline:
      return StepPart::exposed_pipeline;
    case model::GroupAxis::data:
    case model::GroupAxis::data_context:
    case model::GroupAxis::data_shard:
    case model::GroupAxis::data_replica:
    case model::GroupAxis::expert_data:
    case model::GroupAxis::mirror:
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

class BreakdownWalk {
 public:
  BreakdownWalk(const RunPlan& plan, const RunRecord& record, int sim)
      : plan_(plan), record_(record), intervals_(plan, record), sim_(sim) {}

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
    const ItemTimes& times = intervals_.times();
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
    for (const TaskInterval& interval : intervals_.of(sim_, item)) {
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
    const ItemTimes& times = intervals_.times();
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
          const auto [member, other] = intervals_.last_arrival(sim, item);
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
        std::get<model::TransferWork>(intervals_.times().task(sim, intervals_.times().item(sim, item).first_task).work);
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
  ItemIntervals intervals_;
  int sim_;
  model::Breakdown breakdown_{};
};

}  // namespace

model::Breakdown break_down_step(const RunPlan& plan, const RunRecord& record, double step) {
  // One candidate for each program is enough: ranks of a program do the same.
  const ItemIntervals intervals(plan, record);
  std::map<int, int> first_of_program;
  for (std::size_t sim = 0; sim < plan.ranks.size(); ++sim)
    first_of_program.try_emplace(plan.ranks[sim].program, static_cast<int>(sim));
  int chosen = 0;
  double most = -1.0;
  for (const auto& [program, sim] : first_of_program)
    if (const double busy = intervals.busy(sim); busy > most) {
      most = busy;
      chosen = sim;
    }
  return BreakdownWalk(plan, record, chosen).run(step);
}

}  // namespace trainwright::simulator
