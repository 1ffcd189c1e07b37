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

struct PartModel {
  ChainTime forward;
  ChainTime backward;
  ChainTime backward_input;
  ChainTime backward_weight;
  ChainMemory forward_memory;
  ChainMemory backward_memory;
  PartParameters parameters;
  Flops matrix = Flops::zero();
};

PartModel part_model(const LoweredPart& part, const LayerGroups& groups, const Plan& plan, const Accelerator& device) {
  PartModel m;
  m.forward = chain_time(part.forward, groups, plan, device);
  m.backward = chain_time(part.backward, groups, plan, device);
  m.forward_memory = chain_memory(part.forward.tasks);
  m.backward_memory = chain_memory(part.backward.tasks);
  if (puts_weight_gradients_off(plan.layout.schedule)) {
    m.backward_input = chain_time(only(part.backward, false), groups, plan, device);
    m.backward_weight = chain_time(only(part.backward, true), groups, plan, device);
  }
  m.parameters = parameters_of(part);
  for (const TaskChain* chain : {&part.forward, &part.backward})
    for (const Task& task : chain->tasks)
      m.matrix += matrix_flops(task);
  return m;
}

StageModel stage_from_parts(const std::vector<const PartModel*>& parts) {
  StageModel stage;
  for (const PartModel* part : parts) {
    stage.forward_parts.push_back(part->forward);
    stage.forward += part->forward;
    stage.forward_memory += part->forward_memory;
    stage.parameters += part->parameters;
    stage.matrix_flops += part->matrix;
  }
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
    stage.backward_parts.push_back((*it)->backward);
    stage.backward += (*it)->backward;
    stage.backward_split += (*it)->backward_input;
    stage.backward_split += (*it)->backward_weight;
    stage.backward_input_parts.push_back((*it)->backward_input);
    stage.backward_weight_parts.push_back((*it)->backward_weight);
    stage.backward_memory += (*it)->backward_memory;
    stage.part_parameters.push_back((*it)->parameters);
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
    ByteCount& scratch = memory.net[static_cast<std::size_t>(MemoryTerm::workspaces)];
    term += task.allocates;
    scratch += task.scratch_allocates;
    held += task.allocates.count() + task.scratch_allocates.count();
    if (ByteCount(held) > memory.peak) {
      memory.peak = ByteCount(held);
      memory.at_peak = memory.net;
      memory.phase = task.phase.pass;
    }
    term -= task.frees;
    scratch -= task.scratch_frees;
    held -= task.frees.count() + task.scratch_frees.count();
  }
  return memory;
}

StageModels stage_models(const Plan& plan) {
  const OperatorGraph operators(plan.model);
  const LayerGroups groups(plan);
  const Accelerator& device = plan.cluster.groups.front().accelerator;
  const int layers = layer_count(plan.model);

  // Layers of one run are equal but for the first and last, which may carry the ends of an encoder: lower one of each.
  std::vector<PartModel> runs;
  std::vector<std::size_t> run_of_layer;
  for (const LayerRun& run : plan.model.layers) {
    const auto first = static_cast<int>(run_of_layer.size());
    run_of_layer.insert(run_of_layer.end(), static_cast<std::size_t>(run.count), runs.size());
    runs.push_back(part_model(lower(operators, operators.of_layer(first), plan), groups, plan, device));
  }
  const PartModel before = part_model(lower(operators, operators.of_layer(-1), plan), groups, plan, device);
  const PartModel after = part_model(lower(operators, operators.of_layer(layers), plan), groups, plan, device);

  StageModels models;
  std::map<std::vector<const PartModel*>, std::size_t> seen;
  const std::vector<LayerRange> ranges = layer_ranges(layers, plan.layout);
  for (std::size_t v = 0; v < ranges.size(); ++v) {
    std::vector<const PartModel*> parts;
    if (v == 0)
      parts.push_back(&before);
    const LayerRange& range = ranges[v];
    for (int layer = range.begin; layer < range.end; ++layer)
      parts.push_back(&runs[run_of_layer[static_cast<std::size_t>(layer)]]);
    if (v + 1 == ranges.size())
      parts.push_back(&after);
    const auto [it, is_new] = seen.try_emplace(parts, models.distinct.size());
    if (is_new)
      models.distinct.push_back(stage_from_parts(parts));
    models.of_virtual_stage.push_back(it->second);
  }
  return models;
}

}  // namespace trainwright::model
