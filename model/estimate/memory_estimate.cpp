// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/memory_estimate.hpp"

#include <algorithm>

#include "model/plan/pipeline_schedule.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/sharding.hpp"

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

struct HeldPasses {
  ByteCount activations;
  ByteCount logits;
};

// What passes done forward and not yet backward hold, at the slot where that is most.
HeldPasses most_held(const std::vector<PipelineSlot>& slots, const std::vector<const StageModel*>& chunks) {
  HeldPasses now;
  HeldPasses most;
  for (const PipelineSlot& slot : slots) {
    const StageModel& chunk = *chunks[static_cast<std::size_t>(slot.chunk)];
    if (slot.kind == SlotKind::forward) {
      now.activations += chunk.saved_activations;
      now.logits += chunk.logits;
      if (now.activations + now.logits > most.activations + most.logits)
        most = now;
    } else if (slot.kind != SlotKind::backward_input) {
      now.activations -= chunk.saved_activations;
      now.logits -= chunk.logits;
    }
  }
  return most;
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
  const std::int64_t count = micro_batches(plan.layout, plan.job.global_batch);
  MemoryEstimate estimate;
  estimate.capacity = rank_capacity(plan);
  for (int s = 0; s < plan.layout.pp; ++s) {
    StageMemory memory;
    memory.stage = StageId(s);
    memory.ranks = plan.layout.dp * plan.layout.tp * plan.layout.cp;
    std::vector<PartParameters> parts;
    std::vector<const StageModel*> chunks;
    for (int c = 0; c < chunks_per_stage(plan.layout); ++c) {
      chunks.push_back(&stages.at(virtual_stage(plan.layout, {s, c})));
      parts.insert(parts.end(), chunks.back()->part_parameters.rbegin(), chunks.back()->part_parameters.rend());
    }
    for (const ResidentMemory& resident : resident_memory(plan, parts))
      term(memory, resident.term) += resident.bytes;
    const HeldPasses held = most_held(pipeline_slots(plan.layout, s, count), chunks);
    term(memory, MemoryTerm::activations) = held.activations;
    term(memory, MemoryTerm::logits) = held.logits;
    memory.peak = sum(memory);
    memory.peak_phase = "forward";
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
