// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/memory_estimate.hpp"

#include <algorithm>

namespace trainwright::model {
namespace {

ByteCount& term(StageMemory& memory, MemoryTerm which) {
  return memory.terms[static_cast<std::size_t>(which)];
}

ByteCount sum(const StageMemory& memory) {
  ByteCount total;
  for (const ByteCount bytes : memory.terms)
    total += bytes;
  return total;
}

// The last forward pass before a backward pass, and that backward pass: one of them holds the most.
void fill_to_peak(StageMemory& memory, const StageModel& stage, std::int64_t in_flight) {
  const std::array<ByteCount, kMemoryTermCount> resident = memory.terms;
  memory.peak = sum(memory);
  memory.peak_phase = "load";
  const auto consider = [&](const ChainMemory& chain, std::int64_t held_micro_batches) {
    StageMemory moment = memory;
    for (std::size_t i = 0; i < kMemoryTermCount; ++i)
      moment.terms[i] = resident[i] + stage.forward_memory.net[i] * held_micro_batches + chain.at_peak[i];
    moment.peak = sum(moment);
    moment.peak_phase = std::string(to_word(chain.phase));
    if (moment.peak > memory.peak)
      memory = moment;
  };
  consider(stage.forward_memory, in_flight - 1);
  consider(stage.backward_memory, in_flight);
}

}  // namespace

ByteCount rank_capacity(const Plan& plan) {
  const NodeGroup& group = plan.cluster.groups.front();
  if (!group.devices_share_cores)
    return group.accelerator.memory;
  const std::int64_t devices = device_count(plan.cluster);
  const std::int64_t ranks = std::max<std::int64_t>(devices, world_size(plan.layout));
  return ByteCount(group.host_memory.count() * node_count(plan.cluster) / ranks);
}

MemoryEstimate estimate_memory(const Plan& plan, const StageModels& stages) {
  const StateRecipe recipe = state_recipe(plan.job);
  const std::int64_t count = micro_batches(plan.layout, plan.job.global_batch);
  MemoryEstimate estimate;
  estimate.capacity = rank_capacity(plan);
  for (int s = 0; s < plan.layout.pp; ++s) {
    const StageModel& stage = stages.at(s);
    StageMemory memory;
    memory.stage = StageId(s);
    memory.ranks = plan.layout.dp * plan.layout.tp * plan.layout.cp;
    const ByteCount parameters(stage.parameters);
    term(memory, MemoryTerm::weights) = parameters * recipe.weight;
    term(memory, MemoryTerm::gradients) = parameters * recipe.gradient;
    term(memory, MemoryTerm::master_weights) = parameters * recipe.master;
    term(memory, MemoryTerm::moments) = parameters * recipe.moments;
    // Micro-batches whose forward pass is done and whose backward pass is not: 1F1B keeps stages - stage of them.
    const std::int64_t in_flight =
        plan.layout.schedule == PipelineSchedule::gpipe ? count : std::min<std::int64_t>(count, plan.layout.pp - s);
    fill_to_peak(memory, stage, in_flight);
    estimate.peak = std::max(estimate.peak, memory.peak);
    estimate.stages.push_back(memory);
  }
  const auto capacity = static_cast<double>(estimate.capacity.count());
  const auto peak = static_cast<double>(estimate.peak.count());
  estimate.verdict = peak > capacity                              ? MemoryVerdict::does_not_fit
                     : peak > capacity * (1.0 - kBorderlineShare) ? MemoryVerdict::borderline
                                                                  : MemoryVerdict::fits;
  return estimate;
}

StageMemory walk_memory(const Program& program) {
  StageMemory now;
  now.stage = program.stage;
  for (const ResidentMemory& resident : program.resident)
    term(now, resident.term) += resident.bytes;
  StageMemory peak = now;
  peak.peak = sum(now);
  peak.peak_phase = "load";
  for (const Task& task : program.tasks) {
    term(now, task.term) += task.allocates;
    const ByteCount held = sum(now);
    if (held > peak.peak) {
      peak.terms = now.terms;
      peak.peak = held;
      peak.peak_phase = std::string(to_word(task.phase.pass));
    }
    term(now, task.term) -= task.frees;
  }
  return peak;
}

}  // namespace trainwright::model
