// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/memory_advice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/step_time.hpp"
#include "model/plan/state_recipe.hpp"
#include "model/units/format.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

constexpr int kLossChunks = 8;

// What a move works on; a move against the largest part of the peak comes first.
enum class Part { logits, activations, states, any };

struct Move {
  Part part;
  std::string action;
  std::string reason;
  std::function<bool(Plan&)> apply;  ///< false: nothing to change
};

bool halve_data_parallelism(Layout& layout) {
  if (layout.dp % 2 != 0)
    return false;
  layout.dp /= 2;
  return true;
}

std::vector<Move> moves() {
  return {
      {Part::logits, "compute the loss in " + std::to_string(kLossChunks) + " chunks",
       "logits of a part of the micro-batch at a time; the head's product runs once more",
       [](Plan& p) { return std::exchange(p.job.loss_chunks, kLossChunks) == 1; }},
      {Part::activations, "recompute selectively", "scores of unfused attention are not kept",
       [](Plan& p) {
         return p.job.attention == AttentionKernel::unfused &&
                std::exchange(p.layout.recompute, Recompute::selective) == Recompute::none;
       }},
      {Part::activations, "use a fused attention kernel", "scores never reach memory",
       [](Plan& p) { return std::exchange(p.job.attention, AttentionKernel::flash) == AttentionKernel::unfused; }},
      {Part::activations, "sequence parallelism", "activations outside the products are spread over the tensor group",
       [](Plan& p) { return p.layout.tp > 1 && !std::exchange(p.layout.sequence_parallel, true); }},
      {Part::activations, "recompute layers in full", "only the layers' inputs are kept",
       [](Plan& p) { return std::exchange(p.layout.recompute, Recompute::full) != Recompute::full; }},
      {Part::activations, "keep the layers' inputs in host memory", "they travel over the host link beside compute",
       [](Plan& p) {
         return p.layout.recompute == Recompute::full && !std::exchange(p.layout.offload_activations, true);
       }},
      {Part::activations, "halve the micro-batch", "a pass keeps half as much",
       [](Plan& p) {
         if (p.layout.micro_batch % 2 != 0)
           return false;
         p.layout.micro_batch /= 2;
         return true;
       }},
      {Part::activations, "double the chunks a stage", "smaller chunks, a lower peak where few are in flight",
       [](Plan& p) {
         p.layout.vpp *= 2;
         return p.layout.vpp > 2;
       }},
      {Part::states, "shard the optimizer (zero 1)", "states divided by the data-parallel ranks",
       [](Plan& p) {
         p.layout.zero = std::max(p.layout.zero, 0) + 1;
         return p.layout.zero == 1 && p.layout.dp * p.layout.cp > 1;
       }},
      {Part::states, "shard gradients and parameters too (zero 3)", "all states divided by the data-parallel ranks",
       [](Plan& p) {
         return p.layout.pp == 1 && p.layout.dp * p.layout.cp > 1 && std::exchange(p.layout.zero, 3) < 3;
       }},
      {Part::states, "keep the optimizer in host memory", "its states leave the device; the update waits for the host",
       [](Plan& p) { return !std::exchange(p.layout.offload_optimizer, true); }},
      {Part::any, "double tensor parallelism, halve data parallelism", "a rank holds half of each layer",
       [](Plan& p) {
         p.layout.tp *= 2;
         return halve_data_parallelism(p.layout);
       }},
      {Part::any, "double the pipeline, halve data parallelism", "a rank holds half of the layers",
       [](Plan& p) {
         p.layout.pp *= 2;
         p.layout.stage_layers.clear();
         return halve_data_parallelism(p.layout);
       }},
  };
}

std::int64_t bytes(const StageMemory& stage, MemoryTerm term) {
  return stage.terms[static_cast<std::size_t>(term)].count();
}

std::int64_t states(const StageMemory& stage) {
  return bytes(stage, MemoryTerm::weights) + bytes(stage, MemoryTerm::gradients) +
         bytes(stage, MemoryTerm::master_weights) + bytes(stage, MemoryTerm::moments);
}

const StageMemory& fullest(const MemoryEstimate& memory) {
  return *std::max_element(memory.stages.begin(), memory.stages.end(),
                           [](const StageMemory& a, const StageMemory& b) { return a.peak < b.peak; });
}

Part largest_part(const StageMemory& stage) {
  const std::int64_t logits = bytes(stage, MemoryTerm::logits);
  const std::int64_t activations = bytes(stage, MemoryTerm::activations);
  if (logits >= activations && logits >= states(stage))
    return Part::logits;
  return activations >= states(stage) ? Part::activations : Part::states;
}

struct Ranked {
  Advice advice;
  bool is_against_largest = false;
  bool fits = false;
};

}  // namespace

std::vector<Advice> memory_advice(const Plan& plan, const Estimate& estimate) {
  const Part largest = largest_part(fullest(estimate.memory));
  const Seconds base = step_time(plan, stage_models(plan)).step;
  std::vector<Ranked> ranked;
  for (const Move& move : moves()) {
    Plan changed = plan;
    if (!move.apply(changed) || check_plan(changed, "").has_errors())
      continue;
    const StageModels stages = stage_models(changed);
    const MemoryEstimate memory = estimate_memory(changed, stages);
    if (memory.peak >= estimate.memory.peak || memory.host.verdict == MemoryVerdict::does_not_fit)
      continue;
    const Seconds after = estimate.step * (step_time(changed, stages).step / base);
    ranked.push_back(
        {{move.action, move.reason, after, memory.peak}, move.part == largest, memory.verdict == MemoryVerdict::fits});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.is_against_largest != b.is_against_largest)
      return a.is_against_largest;
    if (a.fits != b.fits)
      return a.fits;
    return *a.advice.step_after < *b.advice.step_after;
  });
  std::vector<Advice> list;
  for (Ranked& item : ranked)
    list.push_back(std::move(item.advice));
  const bool any_fits = std::any_of(ranked.begin(), ranked.end(), [](const Ranked& item) { return item.fits; });
  if (const std::int64_t devices = least_devices(plan); !any_fits && devices > device_count(plan.cluster))
    list.push_back({"use at least " + std::to_string(devices) + " devices of this kind",
                    "the states of the model alone take that much memory, however they are spread", std::nullopt,
                    std::nullopt});
  return list;
}

std::int64_t least_devices(const Plan& plan) {
  const double bytes_each = bytes_per_parameter(state_recipe(plan.job));
  const double states = static_cast<double>(parameter_count(plan.model).total) * bytes_each;
  const double usable = static_cast<double>(rank_capacity(plan).count()) * (1.0 - kBorderlineShare);
  return static_cast<std::int64_t>(std::ceil(states / usable));
}

std::string memory_verdict_text(const MemoryEstimate& memory) {
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  const auto gib = [](std::int64_t count) { return format_fixed(static_cast<double>(count) / kGiB, 1) + " GiB"; };
  const StageMemory& stage = fullest(memory);
  const std::int64_t held = states(stage);
  const std::int64_t margin = memory.capacity.count() - stage.peak.count();
  std::string verdict;
  for (const auto& [word, value] : kMemoryVerdictWords)
    if (value == memory.verdict)
      verdict = word;
  return verdict + ": " + gib(held) + " of states + " + gib(stage.peak.count() - held) + " of the rest on " +
         gib(memory.capacity.count()) + ", " + (margin < 0 ? "over by " + gib(-margin) : gib(margin) + " left");
}

}  // namespace trainwright::model
