// SPDX-License-Identifier: Apache-2.0
#include "model/plan/sharding.hpp"

#include <algorithm>

#include "model/plan/lowering.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model {
namespace {

constexpr std::int64_t divide_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

std::int64_t shard(const PartParameters& parameters, const Sharding& sharding, bool is_sharded) {
  if (!is_sharded)
    return parameters.total();
  return divide_up(parameters.dense, sharding.dense.shards) + divide_up(parameters.expert, sharding.expert.shards);
}

// One kind of parameter: the collectives of its group.
void reduce(std::vector<CollectiveWork>& out, const CopyGroup& group, std::int64_t parameters, bool is_sharded,
            bool is_expert, Precision precision) {
  if (parameters == 0 || group.replicas == 1)
    return;
  const GroupAxis all = is_expert ? GroupAxis::expert_data : GroupAxis::data_context;
  const ByteCount bytes = tensor_bytes(parameters, precision);
  if (!is_sharded || group.shards == 1) {
    out.push_back({CollectiveKind::all_reduce, all, bytes, precision});
    return;
  }
  const bool is_whole = group.shards == group.replicas;
  out.push_back({CollectiveKind::reduce_scatter, is_whole ? all : GroupAxis::data_shard, bytes, precision});
  if (!is_whole)
    out.push_back({CollectiveKind::all_reduce, GroupAxis::data_replica,
                   tensor_bytes(divide_up(parameters, group.shards), precision), precision});
}

void gather(std::vector<CollectiveWork>& out, const CopyGroup& group, std::int64_t parameters, bool is_expert,
            Precision precision, int pieces) {
  if (parameters == 0 || group.shards == 1)
    return;
  const bool is_whole = group.shards == group.replicas;
  const GroupAxis all = is_expert ? GroupAxis::expert_data : GroupAxis::data_context;
  const CollectiveWork piece{CollectiveKind::all_gather, is_whole ? all : GroupAxis::data_shard,
                             tensor_bytes(divide_up(parameters, pieces), precision), precision};
  out.insert(out.end(), static_cast<std::size_t>(pieces), piece);
}

// Most parameters gathered at a time: neighbours in use and on their way.
std::int64_t gathered(const Plan& plan, const std::vector<PartParameters>& parts) {
  const std::size_t window =
      plan.layout.reshard_after_forward
          ? std::min<std::size_t>(parts.size(), static_cast<std::size_t>(std::max(1, plan.layout.gathers_in_flight)))
          : parts.size();
  std::int64_t most = 0;
  for (std::size_t first = 0; first + window <= parts.size(); ++first) {
    std::int64_t sum = 0;
    for (std::size_t i = first; i < first + window; ++i)
      sum += parts[i].total();
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

Sharding sharding_of(const Layout& layout) {
  Sharding sharding;
  const int stage_ranks = layout.dp * layout.cp * layout.tp;
  sharding.dense.replicas = layout.dp * layout.cp;
  sharding.expert.replicas = std::max(1, stage_ranks / (layout.ep * layout.etp));
  if (layout.zero == 0)
    return sharding;
  sharding.dense.shards = layout.zero_group > 0 ? layout.zero_group : sharding.dense.replicas;
  // Experts are spread over ranks already; what is left of their copies shares one set of states.
  sharding.expert.shards = sharding.expert.replicas;
  sharding.optimizer = true;
  sharding.gradients = layout.zero >= 2;
  sharding.parameters = layout.zero >= 3;
  return sharding;
}

PartParameters parameters_of(const LoweredPart& part) {
  return {part.parameters - part.expert_parameters, part.expert_parameters};
}

std::vector<CollectiveWork> gradient_reduction(const Plan& plan, const PartParameters& parameters) {
  const Sharding sharding = sharding_of(plan.layout);
  std::vector<CollectiveWork> out;
  const Precision precision = message_precision(plan.job);
  reduce(out, sharding.dense, parameters.dense, sharding.optimizer, false, precision);
  reduce(out, sharding.expert, parameters.expert, sharding.optimizer, true, precision);
  return out;
}

std::vector<CollectiveWork> parameter_gather(const Plan& plan, const PartParameters& parameters, Pass pass) {
  const Sharding sharding = sharding_of(plan.layout);
  std::vector<CollectiveWork> out;
  const int pieces = sharding.parameters ? gathers_per_layer(plan.job) : 1;
  gather(out, sharding.dense, parameters.dense, false, message_precision(plan.job), pieces);
  gather(out, sharding.expert, parameters.expert, true, message_precision(plan.job), pieces);
  if (pass == Pass::backward && pieces > 1 && plan.layout.recompute == Recompute::full) {
    const std::vector<CollectiveWork> once = out;
    out.insert(out.end(), once.begin(), once.end());
  }
  return out;
}

std::vector<ResidentMemory> resident_memory(const Plan& plan, const std::vector<PartParameters>& parts) {
  const StateRecipe recipe = state_recipe(plan.job);
  const Sharding sharding = sharding_of(plan.layout);
  PartParameters all;
  PartParameters largest;
  for (const PartParameters& part : parts) {
    all += part;
    if (part.total() > largest.total())
      largest = part;
  }
  std::vector<ResidentMemory> resident;
  resident.push_back({MemoryTerm::weights, ByteCount(shard(all, sharding, sharding.parameters) * recipe.weight)});
  resident.push_back({MemoryTerm::gradients, ByteCount(shard(all, sharding, sharding.gradients) * recipe.gradient)});
  resident.push_back({MemoryTerm::master_weights, ByteCount(shard(all, sharding, sharding.optimizer) * recipe.master)});
  resident.push_back({MemoryTerm::moments, ByteCount(shard(all, sharding, sharding.optimizer) * recipe.moments)});
  if (sharding.parameters && sharding.communicates()) {
    resident.push_back({MemoryTerm::gathered_parameters, ByteCount(gathered(plan, parts) * recipe.weight)});
    // The gradient of a unit before its reduction, and of the next one while that runs.
    resident.push_back({MemoryTerm::buckets, tensor_bytes(2 * largest.total(), message_precision(plan.job))});
  } else if (sharding.gradients && sharding.communicates()) {
    // Whole gradients live only from their backward pass to their reduction: the bucket under way and the one filling.
    const std::int64_t elements = std::min<std::int64_t>(
        all.total(), plan.layout.bucket.count() / tensor_bytes(1, message_precision(plan.job)).count());
    const int copies = plan.layout.overlap_gradients ? 2 : 1;
    resident.push_back({MemoryTerm::buckets, tensor_bytes(copies * elements, message_precision(plan.job))});
  }
  std::erase_if(resident, [](const ResidentMemory& memory) { return memory.bytes.count() == 0; });
  return resident;
}

std::int64_t updated_parameters(const Plan& plan, const PartParameters& parameters) {
  const Sharding sharding = sharding_of(plan.layout);
  return shard(parameters, sharding, sharding.optimizer);
}

}  // namespace trainwright::model
