// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/stage_model.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "model/base/contract.hpp"
#include "model/cost/task_duration.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

std::int64_t sum(const ChainMemory::Terms& terms) {
  std::int64_t total = 0;
  for (const ByteCount bytes : terms)
    total += bytes.count();
  return total;
}

// The tasks of one kind of gradient, with the dependencies among them.
TaskChain only(const TaskChain& chain, bool weight_gradients) {
  TaskChain kept;
  std::vector<std::optional<TaskId>> place(chain.tasks.size());
  for (std::size_t i = 0; i < chain.tasks.size(); ++i)
    if ((chain.tasks[i].phase.part == BackwardPart::weight) == weight_gradients) {
      place[i] = TaskId(kept.tasks.size());
      kept.tasks.push_back(chain.tasks[i]);
    }
  if (chain.output)
    kept.output = place[chain.output->index()];
  for (const Dependency& d : chain.dependencies)
    if (place[d.before.index()] && place[d.after.index()])
      kept.dependencies.push_back({*place[d.before.index()], *place[d.after.index()]});
  return kept;
}

bool puts_weight_gradients_off(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble_h1 || schedule == PipelineSchedule::dual_pipe;
}

LoweredPlan::Part lowered_part(LoweredPart&& lowered, const Plan& plan) {
  LoweredPlan::Part part;
  part.parameters = parameters_of(lowered);
  part.forward_memory = chain_memory(lowered.forward.tasks);
  part.backward_memory = chain_memory(lowered.backward.tasks);
  if (puts_weight_gradients_off(plan.layout.schedule)) {
    part.backward_input = only(lowered.backward, false);
    part.backward_weight = only(lowered.backward, true);
  }
  for (const TaskChain* chain : {&lowered.forward, &lowered.backward})
    for (const Task& task : chain->tasks)
      part.matrix += matrix_flops(task);
  part.forward = std::move(lowered.forward);
  part.backward = std::move(lowered.backward);
  return part;
}

struct PartTimes {
  ChainTime forward;
  ChainTime backward;
  ChainTime backward_input;
  ChainTime backward_weight;
};

PartTimes times_of(const LoweredPlan::Part& part, const LayerGroups& groups, const Plan& plan) {
  const Accelerator& device = plan.cluster.groups.front().accelerator;
  PartTimes times;
  times.forward = chain_time(part.forward, groups, plan, device);
  times.backward = chain_time(part.backward, groups, plan, device);
  if (puts_weight_gradients_off(plan.layout.schedule)) {
    times.backward_input = chain_time(part.backward_input, groups, plan, device);
    times.backward_weight = chain_time(part.backward_weight, groups, plan, device);
  }
  return times;
}

StageModel stage_from_parts(const std::vector<std::size_t>& indices, const std::vector<LoweredPlan::Part>& parts,
                            const std::vector<PartTimes>& times) {
  StageModel stage;
  for (const std::size_t i : indices) {
    stage.forward_parts.push_back(times[i].forward);
    stage.forward += times[i].forward;
    stage.forward_memory += parts[i].forward_memory;
    stage.parameters += parts[i].parameters;
    stage.matrix_flops += parts[i].matrix;
  }
  for (auto i = indices.rbegin(); i != indices.rend(); ++i) {
    const PartTimes& own = times[*i];
    stage.backward_parts.push_back(own.backward);
    stage.backward += own.backward;
    stage.backward_split += own.backward_input;
    stage.backward_split += own.backward_weight;
    stage.backward_input_parts.push_back(own.backward_input);
    stage.backward_weight_parts.push_back(own.backward_weight);
    stage.backward_memory += parts[*i].backward_memory;
    stage.part_parameters.push_back(parts[*i].parameters);
  }
  return stage;
}

}  // namespace

ChainMemory& ChainMemory::operator+=(const ChainMemory& next) {
  const ByteCount held(sum(net));
  if (held + next.peak > peak) {
    peak = held + next.peak;
    phase = next.phase;
    for (std::size_t term = 0; term < kMemoryTermCount; ++term)
      at_peak[term] = net[term] + next.at_peak[term];
  }
  for (std::size_t term = 0; term < kMemoryTermCount; ++term)
    net[term] += next.net[term];
  return *this;
}

ChainMemory chain_memory(const std::vector<Task>& tasks) {
  ChainMemory memory;
  std::int64_t held = 0;
  for (const Task& task : tasks) {
    ByteCount& term = memory.net[static_cast<std::size_t>(task.term)];
    term += task.allocates;
    held += task.allocates.count();
    if (ByteCount(held) > memory.peak) {
      memory.peak = ByteCount(held);
      memory.at_peak = memory.net;
      memory.phase = task.phase.pass;
    }
    term -= task.frees;
    held -= task.frees.count();
  }
  return memory;
}

LoweredPlan::LoweredPlan(const Plan& plan) : groups_(plan) {
  const OperatorGraph operators(plan.model);
  const int layers = layer_count(plan.model);
  const auto add = [&](int layer, Recompute recompute) {
    parts_.push_back(lowered_part(lower(operators, operators.of_layer(layer), plan, recompute), plan));
    return parts_.size() - 1;
  };
  const std::size_t before = add(-1, Recompute::none);
  const std::size_t after = add(layers, Recompute::none);
  // Layers of one run are equal but for the first and last, which may carry the ends of an encoder: lower one of each.
  std::vector<int> first_of_run;
  for (const LayerRun& run : plan.model.layers)
    first_of_run.insert(first_of_run.end(), static_cast<std::size_t>(run.count),
                        first_of_run.empty() ? 0 : static_cast<int>(first_of_run.size()));
  std::map<std::pair<int, Recompute>, std::size_t> part_of;
  const auto layer_part = [&](const LayerRange& range, int layer) {
    const std::pair key{first_of_run[static_cast<std::size_t>(layer)], layer_recompute(plan.layout, range, layer)};
    const auto found = part_of.find(key);
    return found != part_of.end() ? found->second : part_of.emplace(key, add(key.first, key.second)).first->second;
  };
  std::map<std::vector<std::size_t>, std::size_t> seen;
  const std::vector<LayerRange> ranges = layer_ranges(layers, plan.layout);
  for (std::size_t v = 0; v < ranges.size(); ++v) {
    std::vector<std::size_t> stage;
    if (v == 0)
      stage.push_back(before);
    for (int layer = ranges[v].begin; layer < ranges[v].end; ++layer)
      stage.push_back(layer_part(ranges[v], layer));
    if (v + 1 == ranges.size())
      stage.push_back(after);
    const auto [it, is_new] = seen.try_emplace(stage, stages_.size());
    if (is_new)
      stages_.push_back(stage);
    of_virtual_stage_.push_back(it->second);
  }
}

StageModels stage_models(const Plan& plan) {
  return stage_models(plan, LoweredPlan(plan));
}

StageModels stage_models(const Plan& plan, const LoweredPlan& lowered) {
  std::vector<PartTimes> times;
  for (const LoweredPlan::Part& part : lowered.parts())
    times.push_back(times_of(part, lowered.groups(), plan));
  StageModels models;
  for (const std::vector<std::size_t>& stage : lowered.stages())
    models.distinct.push_back(stage_from_parts(stage, lowered.parts(), times));
  models.of_virtual_stage = lowered.of_virtual_stage();
  return models;
}

}  // namespace trainwright::model
