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

// What passes done forward and not yet backward hold beside what the pass in work needs, at the fullest moment of the
// step. Gradients of weights that are put off hold what their pass saved.
void fill_to_peak(StageMemory& memory, const std::vector<PipelineSlot>& slots,
                  const std::vector<const StageModel*>& chunks) {
  std::array<ByteCount, kMemoryTermCount> held = memory.terms;
  memory.peak = sum(memory);
  memory.peak_phase = "load";
  for (const PipelineSlot& slot : slots) {
    const StageModel& chunk = *chunks[static_cast<std::size_t>(slot.chunk)];
    const bool is_forward = slot.kind == SlotKind::forward;
    const ChainMemory& chain = is_forward ? chunk.forward_memory : chunk.backward_memory;
    StageMemory moment = memory;
    for (std::size_t i = 0; i < kMemoryTermCount; ++i)
      moment.terms[i] = held[i] + chain.at_peak[i];
    moment.peak = sum(moment);
    moment.peak_phase = std::string(to_word(chain.phase));
    if (moment.peak > memory.peak)
      memory = moment;
    for (std::size_t i = 0; i < kMemoryTermCount; ++i) {
      if (is_forward)
        held[i] += chunk.forward_memory.net[i];
      else if (slot.kind != SlotKind::backward_input)
        held[i] -= chunk.forward_memory.net[i];
    }
  }
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
    fill_to_peak(memory, pipeline_slots(plan.layout, s, count), chunks);
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
