// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/step_traffic.hpp"

#include "model/plan/pipeline_shape.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {
namespace {

int group_ranks(const Sharding& sharding, GroupAxis axis) {
  switch (axis) {
    case GroupAxis::expert_data:
      return sharding.expert.replicas;
    case GroupAxis::data_shard:
      return sharding.dense.shards;
    case GroupAxis::data_replica:
      return sharding.dense.replicas / sharding.dense.shards;
    default:
      return sharding.dense.replicas;
  }
}

void add(std::vector<TrafficItem>& items, const std::vector<CollectiveWork>& works, const Sharding& sharding,
         double count) {
  for (const CollectiveWork& work : works) {
    const int ranks = group_ranks(sharding, work.axis);
    const double share = static_cast<double>(ranks - 1) / ranks;
    const double crossings = work.kind == CollectiveKind::all_reduce ? 2.0 : 1.0;
    items.push_back(
        {work.kind, work.axis, ranks, count, count * crossings * share * static_cast<double>(work.bytes.count())});
  }
}

}  // namespace

std::vector<TrafficItem> data_traffic(const Plan& plan, const StageModels& stages) {
  const Sharding sharding = sharding_of(plan.layout);
  const auto count = static_cast<double>(micro_batches(plan.layout, plan.job.global_batch));
  std::vector<TrafficItem> most;
  for (int stage = 0; stage < plan.layout.pp; ++stage) {
    PartParameters all;
    for (int c = 0; c < chunks_per_stage(plan.layout); ++c)
      all += stages.at(virtual_stage(plan.layout, {stage, c})).parameters;
    std::vector<TrafficItem> items;
    add(items, gradient_reduction(plan, all), sharding, sharding.gradients ? count : 1.0);
    if (sharding.parameters)
      add(items, parameter_gather(plan, all), sharding, count * (plan.layout.reshard_after_forward ? 2.0 : 1.0));
    else if (sharding.optimizer)
      add(items, parameter_gather(plan, all), sharding, 1.0);
    if (sent_bytes(items) >= sent_bytes(most))
      most = std::move(items);
  }
  return most;
}

double sent_bytes(const std::vector<TrafficItem>& items) {
  double sum = 0.0;
  for (const TrafficItem& item : items)
    sum += item.bytes;
  return sum;
}

}  // namespace trainwright::model
