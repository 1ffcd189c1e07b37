// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/host_memory.hpp"

#include <algorithm>

#include "model/plan/lowering_sizes.hpp"
#include "model/plan/pipeline_schedule.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/sharding.hpp"
#include "model/plan/state_recipe.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

// Pinned memory comes in blocks of powers of two: half of the blocks' last doubling is lost on average. The factor is
// that of DeepSpeed's own estimator (docs/models/memory.md).
constexpr double kPinnedGrowth = 0.5;
// Beside master weights and moments the host holds the gradients it updates from, in fp32.
constexpr int kHostGradient = 4;

struct Fullest {
  std::int64_t optimizer = 0;
  std::int64_t weights = 0;
  std::int64_t activations = 0;
};

void keep_larger(Fullest& most, const Fullest& stage) {
  most.optimizer = std::max(most.optimizer, stage.optimizer);
  most.weights = std::max(most.weights, stage.weights);
  most.activations = std::max(most.activations, stage.activations);
}

Fullest of_stage(const Plan& plan, const StageModels& stages, int stage) {
  const StateRecipe recipe = state_recipe(plan.job);
  PartParameters all;
  for (int c = 0; c < chunks_per_stage(plan.layout); ++c)
    all += stages.at(virtual_stage(plan.layout, {stage, c})).parameters;
  const std::int64_t updated = updated_parameters(plan, all);
  Fullest result;
  if (plan.layout.offload_optimizer)
    result.optimizer = updated * (recipe.master + recipe.moments + kHostGradient);
  if (plan.layout.offload_parameters)
    result.weights = updated * recipe.weight;
  if (plan.layout.offload_activations) {
    const std::int64_t count = micro_batches(plan.layout, plan.job.global_batch);
    const std::int64_t held = held_chunks(pipeline_slots(plan.layout, stage, count));
    const std::vector<LayerRange> ranges = layer_ranges(layer_count(plan.model), plan.layout);
    std::int64_t layers = 0;
    for (const LayerRange& range : ranges)
      layers = std::max<std::int64_t>(layers, range.end - range.begin);
    result.activations = held * layers * offloaded_layer_bytes(plan).count();
  }
  return result;
}

}  // namespace

ByteCount loading_host_bytes(std::int64_t parameters, int processes) {
  return tensor_bytes(parameters, Precision::fp32) * processes;
}

HostMemory host_memory(const Plan& plan, const StageModels& stages) {
  Fullest most;
  for (int stage = 0; stage < plan.layout.pp; ++stage)
    keep_larger(most, of_stage(plan, stages, stage));
  const NodeGroup& group = plan.cluster.groups.front();
  const int ranks = std::min(group.devices_per_node, world_size(plan.layout));
  HostMemory host;
  host.capacity = group.host_memory;
  const auto add = [&](const char* name, std::int64_t of_rank) {
    if (of_rank > 0)
      host.items.push_back({name, ByteCount(of_rank) * ranks});
  };
  add("optimizer states", most.optimizer);
  add("weights", most.weights);
  add("activations", most.activations);
  for (const HostMemory::Item& item : host.items)
    host.used += item.bytes;
  const ByteCount growth(static_cast<std::int64_t>(static_cast<double>(host.used.count()) * kPinnedGrowth));
  if (growth.count() > 0)
    host.items.push_back({"pinned blocks beyond what was asked for", growth});
  host.used += growth;
  host.load = loading_host_bytes(parameter_count(plan.model).total, ranks);
  return host;
}

}  // namespace trainwright::model
