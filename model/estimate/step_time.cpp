// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/step_time.hpp"

#include <algorithm>

#include "model/collective/collective_cost.hpp"
#include "model/cost/task_duration.hpp"
#include "model/estimate/gradient_sync.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/plan/gradient_buckets.hpp"

namespace trainwright::model {
namespace {

constexpr double kRounding = 1e-9;

double& part(Breakdown& breakdown, StepPart which) {
  return breakdown[static_cast<std::size_t>(which)];
}

class StepModel {
 public:
  StepModel(const Plan& plan, const StageModels& stages)
      : plan_(plan),
        stages_(stages),
        placement_(plan.layout, plan.cluster),
        data_(group_shape(placement_, plan.cluster, GroupAxis::data_context, RankId(0))),
        count_(micro_batches(plan.layout, plan.job.global_batch)) {}

  StepTime run() {
    const Seconds message = message_time();
    const std::vector<Seconds> ends = stage_ends(message);
    const std::vector<Seconds> ends_free = stage_ends(Seconds(0.0));
    // The step as the busiest stage sees it: what it waits for is what more speed elsewhere could save.
    const int stage = busiest_stage();
    const StageModel& m = stages_.at(stage);
    const double total = std::max_element(ends.begin(), ends.end())->count();
    const double total_free = std::max_element(ends_free.begin(), ends_free.end())->count();
    const auto n = static_cast<double>(count_);
    const SyncTimes sync = gradient_sync(m, plan_, data_);

    StepTime result;
    Breakdown& b = result.breakdown;
    part(b, StepPart::compute) = n * (m.forward.compute + m.backward.compute).count();
    part(b, StepPart::exposed_tensor) = n * (m.forward.exposed_tensor + m.backward.exposed_tensor).count();
    part(b, StepPart::exposed_data) = (sync.backward - m.backward.total + sync.exposed + embedding_sync(stage)).count();
    part(b, StepPart::optimizer) = optimizer_time(m).count();
    const double busy = n * (m.forward.total + m.backward.total).count() + part(b, StepPart::exposed_data) +
                        part(b, StepPart::optimizer);
    const double exposed_pipeline = std::max(0.0, total - std::max(busy, total_free));
    part(b, StepPart::exposed_pipeline) = exposed_pipeline;
    const double idle = total - busy - exposed_pipeline;
    part(b, StepPart::bubble) = idle > kRounding * total ? idle : 0.0;
    part(b, StepPart::host) = plan_.constants.host.step_s + n * plan_.constants.host.micro_batch_s;
    share_cores(b);
    for (const double seconds : b)
      result.step += Seconds(seconds);
    for (int s = 0; s < plan_.layout.pp; ++s)
      result.stage_busy.push_back((stages_.at(s).forward.compute + stages_.at(s).backward.compute) * n);
    return result;
  }

 private:
  [[nodiscard]] int busiest_stage() const {
    int busiest = 0;
    for (int s = 1; s < plan_.layout.pp; ++s)
      if (stages_.at(s).forward.total + stages_.at(s).backward.total >
          stages_.at(busiest).forward.total + stages_.at(busiest).backward.total)
        busiest = s;
    return busiest;
  }

  [[nodiscard]] Seconds message_time() const {
    if (plan_.layout.pp == 1)
      return Seconds(0.0);
    // Pipeline is the outermost axis: the ranks of a node send at the same time.
    const RankId from(0);
    const RankId to = placement_.at_stage(from, StageId(1));
    const LinkDomainId domain = link_domain_of(plan_.cluster, placement_.device(from));
    const bool same_node = domain == link_domain_of(plan_.cluster, placement_.device(to));
    const NodeGroup& group = plan_.cluster.groups.front();
    const int stage_ranks = placement_.world_size() / plan_.layout.pp;
    const int sharing = std::min(group.devices_per_node, stage_ranks);
    return transfer_duration(to_bytes(boundary_bytes(plan_)), same_node, sharing, plan_.cluster, plan_.constants) +
           Seconds(plan_.constants.host.task_s);
  }

  [[nodiscard]] Seconds optimizer_time(const StageModel& m) const {
    const OptimizerWork work{m.parameters, state_recipe(plan_.job).optimizer_traffic};
    return duration(work, plan_.cluster.groups.front().accelerator, plan_.constants) +
           Seconds(plan_.constants.host.task_s);
  }

  [[nodiscard]] Seconds embedding_sync(int stage) const {
    const bool is_end = stage == 0 || stage == plan_.layout.pp - 1;
    if (!plan_.model.tied_embeddings || plan_.layout.pp == 1 || !is_end)
      return Seconds(0.0);
    const GroupShape shape = group_shape(placement_, plan_.cluster, GroupAxis::embedding, RankId(0));
    const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::embedding, tied_embedding_bytes(plan_),
                              message_precision(plan_.job)};
    return collective_duration(work, shape, plan_.cluster, plan_.constants) + Seconds(plan_.constants.host.task_s);
  }

  // End of each stage with gradient reduction and update; the tied embedding makes first and last stage meet.
  [[nodiscard]] std::vector<Seconds> stage_ends(Seconds message) const {
    std::vector<StageTimes> times;
    for (int s = 0; s < plan_.layout.pp; ++s)
      times.push_back({stages_.at(s).forward.total, stages_.at(s).backward.total});
    const std::vector<StageEnd> pipeline = pipeline_times(plan_.layout.schedule, times, count_, message);
    std::vector<Seconds> synced;
    for (int s = 0; s < plan_.layout.pp; ++s) {
      const SyncTimes sync = gradient_sync(stages_.at(s), plan_, data_);
      synced.push_back(pipeline[static_cast<std::size_t>(s)].last_backward_start + sync.backward + sync.exposed);
    }
    if (plan_.model.tied_embeddings && plan_.layout.pp > 1)
      synced.front() = synced.back() = std::max(synced.front(), synced.back());
    std::vector<Seconds> ends;
    for (int s = 0; s < plan_.layout.pp; ++s)
      ends.push_back(synced[static_cast<std::size_t>(s)] + embedding_sync(s) + optimizer_time(stages_.at(s)));
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
      all_stages +=
          (stages_.at(s).forward.compute + stages_.at(s).backward.compute).count() * static_cast<double>(count_) +
          optimizer_time(stages_.at(s)).count();
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
  GroupShape data_;
  std::int64_t count_;
};

}  // namespace

StepTime step_time(const Plan& plan, const StageModels& stages) {
  return StepModel(plan, stages).run();
}

}  // namespace trainwright::model
