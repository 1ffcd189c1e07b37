// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/memory_estimate.hpp"

#include <algorithm>

#include "model/estimate/host_memory.hpp"
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

// State of the rank between passes; what else it holds at a time is the caching allocator's to fragment.
bool is_static(std::size_t term) {
  switch (static_cast<MemoryTerm>(term)) {
    case MemoryTerm::weights:
    case MemoryTerm::gradients:
    case MemoryTerm::master_weights:
    case MemoryTerm::moments:
    case MemoryTerm::communication:
    case MemoryTerm::workspaces:
    case MemoryTerm::context:
      return true;
    default:
      return false;
  }
}

// Fills the sum, fragmentation included.
void add_up(StageMemory& moment, bool is_fragmented) {
  std::int64_t moving = 0;
  for (std::size_t i = 0; i < kMemoryTermCount; ++i)
    if (!is_static(i))
      moving += moment.terms[i].count();
  if (is_fragmented)
    term(moment, MemoryTerm::fragmentation) =
        ByteCount(static_cast<std::int64_t>(static_cast<double>(moving) * kFragmentationShare));
  moment.peak = sum(moment);
}

// A moment of a phase: keeps the most of the phase, and the moment if it is the fullest of all.
void consider(StageMemory& memory, const StageMemory& moment, MemoryPhase phase, std::string_view word) {
  ByteCount& most = memory.phases[static_cast<std::size_t>(phase)];
  most = std::max(most, moment.peak);
  if (moment.peak <= memory.peak)
    return;
  memory.terms = moment.terms;
  memory.peak = moment.peak;
  memory.peak_phase = std::string(word);
}

// What passes done forward and not yet backward hold beside what the pass in work needs, at the fullest moment of the
// step. Gradients of weights that are put off hold what their pass saved.
void consider_passes(StageMemory& memory, const StageMemory& resident, const std::vector<PipelineSlot>& slots,
                     const std::vector<const StageModel*>& chunks, bool is_fragmented) {
  std::array<ByteCount, kMemoryTermCount> held = resident.terms;
  for (const PipelineSlot& slot : slots) {
    const StageModel& chunk = *chunks[static_cast<std::size_t>(slot.chunk)];
    const bool is_forward = slot.kind == SlotKind::forward;
    const ChainMemory& chain = is_forward ? chunk.forward_memory : chunk.backward_memory;
    StageMemory moment;
    for (std::size_t i = 0; i < kMemoryTermCount; ++i)
      moment.terms[i] = held[i] + chain.at_peak[i];
    add_up(moment, is_fragmented);
    consider(memory, moment, is_forward ? MemoryPhase::forward : MemoryPhase::backward, to_word(chain.phase));
    for (std::size_t i = 0; i < kMemoryTermCount; ++i) {
      if (is_forward)
        held[i] += chunk.forward_memory.net[i];
      else if (slot.kind != SlotKind::backward_input)
        held[i] -= chunk.forward_memory.net[i];
    }
  }
}

// Before, between and after the passes of a step.
void consider_other_phases(StageMemory& memory, const StageMemory& resident, const UpdateMemory& update,
                           bool is_fragmented) {
  const auto without = [&](std::initializer_list<MemoryTerm> absent) {
    StageMemory moment = resident;
    for (const MemoryTerm which : absent)
      term(moment, which) = ByteCount(0);
    return moment;
  };
  const auto at = [&](StageMemory moment, MemoryPhase phase) {
    add_up(moment, is_fragmented);
    consider(memory, moment, phase, to_word(phase));
  };
  at(without({MemoryTerm::gradients, MemoryTerm::master_weights, MemoryTerm::moments, MemoryTerm::buckets,
              MemoryTerm::gathered_parameters, MemoryTerm::communication}),
     MemoryPhase::load);
  StageMemory between = without({MemoryTerm::gathered_parameters});
  if (!update.keeps_buckets)
    term(between, MemoryTerm::buckets) = ByteCount(0);
  const auto with_copies = [&](ByteCount copies) {
    StageMemory moment = between;
    term(moment, MemoryTerm::buckets) += copies;
    return moment;
  };
  at(with_copies(update.initialise), MemoryPhase::initialise);
  at(with_copies(update.step), MemoryPhase::optimizer);
  at(between, MemoryPhase::save);
}

MemoryVerdict verdict_of(ByteCount used, ByteCount capacity) {
  const auto limit = static_cast<double>(capacity.count());
  const auto bytes = static_cast<double>(used.count());
  return bytes > limit                              ? MemoryVerdict::does_not_fit
         : bytes > limit * (1.0 - kBorderlineShare) ? MemoryVerdict::borderline
                                                    : MemoryVerdict::fits;
}

}  // namespace

void HeldBytes::add(MemoryTerm term, ByteCount bytes) {
  (is_static(static_cast<std::size_t>(term)) ? fixed : moving) += bytes.count();
}

std::int64_t reserved_bytes(const HeldBytes& held, bool is_fragmented) {
  const auto lost = static_cast<std::int64_t>(static_cast<double>(held.moving) * kFragmentationShare);
  return held.fixed + held.moving + (is_fragmented ? lost : 0);
}

std::int64_t peak_outside_passes(const std::vector<ResidentMemory>& resident, const UpdateMemory& update,
                                 bool is_fragmented) {
  StageMemory terms;
  for (const ResidentMemory& item : resident)
    term(terms, item.term) += item.bytes;
  StageMemory memory;
  consider_other_phases(memory, terms, update, is_fragmented);
  return memory.peak.count();
}

bool has_caching_allocator(const Plan& plan) {
  return plan.cluster.groups.front().accelerator.kind != AcceleratorKind::cpu;
}

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
  const bool is_fragmented = has_caching_allocator(plan);
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
    StageMemory resident;
    for (const ResidentMemory& item : resident_memory(plan, parts))
      term(resident, item.term) += item.bytes;
    consider_other_phases(memory, resident, update_memory(plan, parts), is_fragmented);
    consider_passes(memory, resident, pipeline_slots(plan.layout, s, count), chunks, is_fragmented);
    estimate.peak = std::max(estimate.peak, memory.peak);
    estimate.stages.push_back(memory);
  }
  estimate.verdict = verdict_of(estimate.peak, estimate.capacity);
  estimate.host = host_memory(plan, stages);
  estimate.host.verdict =
      estimate.host.capacity.count() > 0 ? verdict_of(estimate.host.used, estimate.host.capacity) : MemoryVerdict::fits;
  estimate.verdict = std::max(estimate.verdict, estimate.host.verdict);
  return estimate;
}

StageMemory walk_memory(const Program& program, bool is_fragmented) {
  StageMemory now;
  now.stage = program.stage;
  for (const ResidentMemory& resident : program.resident)
    term(now, resident.term) += resident.bytes;
  StageMemory peak = now;
  add_up(peak, is_fragmented);
  peak.peak_phase = "load";
  for (const Task& task : program.tasks) {
    term(now, task.term) += task.allocates;
    term(now, MemoryTerm::workspaces) += task.scratch_allocates;
    StageMemory held = now;
    add_up(held, is_fragmented);
    if (held.peak > peak.peak) {
      peak.terms = held.terms;
      peak.peak = held.peak;
      peak.peak_phase = std::string(to_word(task.phase.pass));
    }
    term(now, task.term) -= task.frees;
    term(now, MemoryTerm::workspaces) -= task.scratch_frees;
  }
  return peak;
}

}  // namespace trainwright::model
