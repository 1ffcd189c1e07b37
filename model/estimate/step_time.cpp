// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/step_time.hpp"

#include <algorithm>

#include "model/collective/collective_cost.hpp"
#include "model/cost/task_duration.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/estimate/stage_clock.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {
namespace {

constexpr double kRounding = 1e-9;

double& part(Breakdown& breakdown, StepPart which) {
  return breakdown[static_cast<std::size_t>(which)];
}

Seconds all_reduce_time(const Plan& plan, GroupAxis axis, ByteCount bytes, StageId stage) {
  const Placement placement(plan.layout, plan.cluster);
  const GroupShape shape = group_shape(placement, plan.cluster, axis, placement.at_stage(RankId(0), stage));
  return collective_duration({CollectiveKind::all_reduce, axis, bytes, message_precision(plan.job)}, shape,
                             plan.cluster, plan.constants) +
         Seconds(plan.constants.host.task_s);
}

// Ends of all stages, and what data-parallel communication adds on each.
struct Ends {
  std::vector<double> step;          // with update
  std::vector<double> exposed_data;  // waited for, in the passes and after them
};

class StepModel {
 public:
  StepModel(const Plan& plan, const StageModels& stages)
      : plan_(plan),
        stages_(stages),
        placement_(plan.layout, plan.cluster),
        count_(micro_batches(plan.layout, plan.job.global_batch)) {}

  StepTime run() {
    const Ends ends = stage_ends(message_time(plan_));
    const Ends free = plan_.layout.pp > 1 ? stage_ends(Seconds(0.0)) : ends;
    // The step as the busiest stage sees it: what it waits for is what more speed elsewhere could save.
    const int stage = busiest_stage();
    const double total = *std::max_element(ends.step.begin(), ends.step.end());
    const double total_free = *std::max_element(free.step.begin(), free.step.end());
    const ChainTime sums = sums_of(stage);

    StepTime result;
    Breakdown& b = result.breakdown;
    part(b, StepPart::compute) = sums.compute.count();
    part(b, StepPart::recompute) = sums.recompute.count();
    part(b, StepPart::exposed_tensor) = sums.exposed_tensor.count();
    part(b, StepPart::exposed_context) = sums.exposed_context.count();
    part(b, StepPart::exposed_expert) = sums.exposed_expert.count();
    part(b, StepPart::exposed_data) = ends.exposed_data[static_cast<std::size_t>(stage)];
    part(b, StepPart::optimizer) = update_of(stage);
    const double busy = sums.total.count() + part(b, StepPart::exposed_data) + part(b, StepPart::optimizer);
    const double exposed_pipeline = std::max(0.0, total - std::max(busy, total_free));
    part(b, StepPart::exposed_pipeline) = exposed_pipeline;
    const double idle = total - busy - exposed_pipeline;
    part(b, StepPart::bubble) = idle > kRounding * total ? idle : 0.0;
    part(b, StepPart::host) =
        plan_.constants.host.step_s + static_cast<double>(count_) * plan_.constants.host.micro_batch_s;
    share_cores(b);
    for (const double seconds : b)
      result.step += Seconds(seconds);
    for (int s = 0; s < plan_.layout.pp; ++s)
      result.stage_busy.push_back(sums_of(s).work());
    return result;
  }

 private:
  // All passes of a stage.
  [[nodiscard]] ChainTime sums_of(int stage) const {
    ChainTime sums;
    for (const PipelineSlot& slot : pipeline_slots(plan_.layout, stage, count_)) {
      const StageModel& m = stages_.at(virtual_stage(plan_.layout, {stage, slot.chunk}));
      if (slot.kind == SlotKind::forward)
        sums += m.forward;
      else if (slot.kind == SlotKind::backward)
        sums += m.backward;
      else if (slot.kind == SlotKind::backward_weight)  // with its other half, which comes before
        sums += m.backward_split;
    }
    return sums;
  }

  [[nodiscard]] int busiest_stage() const {
    int busiest = 0;
    double most = -1.0;
    for (int s = 0; s < plan_.layout.pp; ++s) {
      const double total = sums_of(s).total.count();
      if (total > most) {
        most = total;
        busiest = s;
      }
    }
    return busiest;
  }

  [[nodiscard]] PartParameters parameters_of_stage(int stage) const {
    PartParameters all;
    for (int c = 0; c < chunks_per_stage(plan_.layout); ++c)
      for (const PartParameters& one : stages_.at(virtual_stage(plan_.layout, {stage, c})).part_parameters)
        all += one;
    return all;
  }

  [[nodiscard]] double update_of(int stage) const { return optimizer_time(plan_, parameters_of_stage(stage)).count(); }

  // Two stages share parameters: both wait for each other, then for the reduction.
  void meet(std::vector<double>& ends, int a, int b, double duration) const {
    double& first = ends[static_cast<std::size_t>(a)];
    double& second = ends[static_cast<std::size_t>(b)];
    first = second = std::max(first, second) + duration;
  }

  [[nodiscard]] Ends stage_ends(Seconds message) const {
    StageClocks clocks(plan_, stages_);
    const std::vector<Seconds> passes = pipeline_ends(plan_.layout, count_, message, clocks);
    const int pp = plan_.layout.pp;
    Ends ends;
    std::vector<double> synced;
    for (int s = 0; s < pp; ++s)
      synced.push_back(std::max(passes[static_cast<std::size_t>(s)].count(), clocks.data_end(s)));
    std::vector<double> extra(synced.size(), 0.0);
    if (plan_.layout.schedule == PipelineSchedule::dual_pipe)
      for (int s = 0; s < pp / 2; ++s) {
        const double time = mirror_time(plan_, s, parameters_of_stage(s)).count();
        meet(synced, s, pp - 1 - s, time);
        extra[static_cast<std::size_t>(s)] = extra[static_cast<std::size_t>(pp - 1 - s)] = time;
      }
    if (const double time = shared_embedding_time(plan_).count(); time > 0.0) {
      meet(synced, 0, pp - 1, time);
      extra.front() = extra.back() = time;
    }
    const Sharding sharding = sharding_of(plan_.layout);
    const bool gathers_at_end = sharding.optimizer && !sharding.parameters && !plan_.layout.overlap_parameters;
    const DataParallelGroups groups(plan_);
    const DataParallelTimes times(plan_, groups);
    for (int s = 0; s < pp; ++s) {
      const auto i = static_cast<std::size_t>(s);
      const double tail = std::max(0.0, clocks.data_end(s) - passes[i].count());
      const double gather = gathers_at_end ? times.gather(parameters_of_stage(s)) : 0.0;
      ends.step.push_back(synced[i] + update_of(s) + gather);
      ends.exposed_data.push_back(clocks.exposed_in_passes(s) + tail + extra[i] + gather);
    }
    return ends;
  }

  // More ranks than cores: the cores are shared, so all compute of a node needs its total over the cores; what a rank
  // waits for others fills. Bubble and exposed communication shrink to what is left.
  void share_cores(Breakdown& b) const {
    const NodeGroup& group = plan_.cluster.groups.front();
    const int devices = device_count(plan_.cluster);
    const int ranks = placement_.world_size();
    if (!group.devices_share_cores || ranks <= devices)
      return;
    const double ranks_per_core = static_cast<double>(ranks) / devices;
    const double penalty = 1.0 + plan_.constants.core_switch_penalty * (ranks_per_core - 1.0);
    double all_stages = 0.0;
    for (int s = 0; s < plan_.layout.pp; ++s)
      all_stages += sums_of(s).work().count() + update_of(s);
    const double needed = all_stages * (static_cast<double>(ranks) / plan_.layout.pp) / devices * penalty;
    double alone = 0.0;
    for (const double seconds : b)
      alone += seconds;
    if (needed <= alone)
      return;
    const double own = part(b, StepPart::compute);
    part(b, StepPart::compute) = own + (needed - alone);
    double& bubble = part(b, StepPart::bubble);
    // While others compute, this rank's bubble is not idle time of the machine.
    const double filled = std::min(bubble, part(b, StepPart::compute) - own);
    bubble -= filled;
    part(b, StepPart::compute) += filled;
  }

  const Plan& plan_;
  const StageModels& stages_;
  Placement placement_;
  std::int64_t count_;
};

}  // namespace

Seconds message_time(const Plan& plan) {
  if (plan.layout.pp == 1)
    return Seconds(0.0);
  // Pipeline is the outermost axis: the ranks of a node send at the same time.
  const Placement placement(plan.layout, plan.cluster);
  const RankId from(0);
  const RankId to = placement.at_stage(from, StageId(1));
  const LinkDomainId domain = link_domain_of(plan.cluster, placement.device(from));
  const bool same_node = domain == link_domain_of(plan.cluster, placement.device(to));
  const NodeGroup& group = plan.cluster.groups.front();
  const int stage_ranks = placement.world_size() / plan.layout.pp;
  const int sharing = std::min(group.devices_per_node, stage_ranks);
  return transfer_duration(to_bytes(boundary_bytes(plan)), same_node, sharing, plan.cluster, plan.constants) +
         Seconds(plan.constants.host.task_s);
}

Seconds optimizer_time(const Plan& plan, const PartParameters& parameters) {
  Task task;
  task.work = update_work(plan, parameters);
  return compute_duration(task, plan.cluster.groups.front().accelerator, plan.constants) +
         Seconds(plan.constants.host.task_s);
}

Seconds shared_embedding_time(const Plan& plan) {
  if (!plan.model.tied_embeddings || plan.layout.pp == 1 || plan.layout.schedule == PipelineSchedule::dual_pipe)
    return Seconds(0.0);
  return all_reduce_time(plan, GroupAxis::embedding, tied_embedding_bytes(plan), StageId(0));
}

Seconds mirror_time(const Plan& plan, int stage, const PartParameters& parameters) {
  return all_reduce_time(plan, GroupAxis::mirror,
                         tensor_bytes(updated_parameters(plan, parameters), message_precision(plan.job)),
                         StageId(stage));
}

StepTime step_time(const Plan& plan, const StageModels& stages) {
  return StepModel(plan, stages).run();
}

}  // namespace trainwright::model
