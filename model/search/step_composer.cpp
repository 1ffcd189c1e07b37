// SPDX-License-Identifier: Apache-2.0
#include "model/search/step_composer.hpp"

#include <algorithm>
#include <cmath>

#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

constexpr double kRounding = 1e-13;

bool same(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

// How much longer the first forward pass of a chunk takes, begun at `start`, since its parts wait for the gathers;
// moves `data_free` past them.
double delay_by_gathers(const StageKind& stage, const ChunkMessages& messages, double start, double& data_free) {
  const std::vector<double>& ends = stage.part_ends[static_cast<std::size_t>(SlotKind::forward)];
  double delay = 0.0;
  for (std::size_t b = messages.buckets.size(); b-- > 0;) {
    const ChunkMessages::Bucket& bucket = messages.buckets[b];
    data_free += bucket.gather;
    const std::size_t part = ends.size() - 1 - bucket.last_part;
    const double begin = start + (part > 0 ? ends[part - 1] : 0.0);
    delay = std::max(delay, data_free - begin);
  }
  return delay;
}

std::size_t chunk_count(const PlanTables& plan) {
  return static_cast<std::size_t>(chunks_per_stage(plan.layout));
}

}  // namespace

// Every pass follows the first ones of the step. Where those all end later by the same time, and no other first pass
// waits for its parameters, everything does.
std::optional<double> StepComposer::first_gathers(const PlanTables& plan) {
  data_free_.assign(plan.run.ends.size(), 0.0);
  if (!plan.shards.rules.gathers_first || !plan.shards.communicates)
    return 0.0;
  const std::size_t chunks = chunk_count(plan);
  std::optional<double> shift;
  // The passes that begin the step tell the shift, then all others are checked against it.
  for (const bool begins : {true, false})
    for (std::size_t s = 0; s < data_free_.size(); ++s) {
      const double* starts = plan.run.first_starts.data() + s * chunks;
      // Only DualPipe's second half begins with its second chunk.
      const bool is_reversed = chunks == 2 && starts[1] < starts[0];
      const bool stage_begins = starts[is_reversed ? 1 : 0] <= 0.0;
      if (stage_begins != begins)
        continue;
      for (std::size_t i = 0; i < chunks; ++i) {
        const std::size_t c = is_reversed ? chunks - 1 - i : i;
        const int v = virtual_stage(plan.layout, {static_cast<int>(s), static_cast<int>(c)});
        const std::size_t kind = plan.stages.of_virtual_stage[static_cast<std::size_t>(v)];
        const bool is_origin = begins && i == 0;
        const double start = is_origin ? 0.0 : starts[c] + *shift;
        const double delay =
            delay_by_gathers(plan.stages.kinds[kind], plan.shards.messages[kind], start, data_free_[s]);
        if (!is_origin) {
          if (delay > kRounding * start)
            return std::nullopt;
        } else if (!shift) {
          shift = delay;
        } else if (!same(*shift, delay)) {
          return std::nullopt;
        }
      }
    }
  return shift;
}

void StepComposer::last_reductions(const PlanTables& plan, double shift) {
  const std::size_t chunks = chunk_count(plan);
  synced_.assign(plan.run.ends.size(), 0.0);
  for (std::size_t s = 0; s < synced_.size(); ++s) {
    double data_free = data_free_[s];
    for (std::size_t c = 0; c < chunks; ++c) {
      const LastPass& last = plan.run.last_passes[s * chunks + c];
      const std::vector<double>& ends = plan.stages.kinds[last.kind].part_ends[static_cast<std::size_t>(last.slot)];
      const double start = last.start + shift;
      for (const ChunkMessages::Bucket& bucket : plan.shards.messages[last.kind].buckets) {
        const double ready = plan.shards.rules.overlaps_gradients ? ends[bucket.last_part] : ends.back();
        data_free = std::max(data_free, start + ready) + bucket.reduction;
      }
    }
    synced_[s] = std::max(plan.run.ends[s] + shift, data_free);
  }
}

double StepComposer::end_of_step(const PlanTables& plan) {
  const std::size_t depth = synced_.size();
  const auto meet = [&](std::size_t a, std::size_t b, double seconds) {
    synced_[a] = synced_[b] = std::max(synced_[a], synced_[b]) + seconds;
  };
  for (std::size_t s = 0; s < plan.shards.mirrors.size(); ++s)
    meet(s, depth - 1 - s, plan.shards.mirrors[s]);
  if (plan.shards.shared_embedding > 0.0)
    meet(0, depth - 1, plan.shards.shared_embedding);
  double total = 0.0;
  for (std::size_t s = 0; s < depth; ++s)
    total = std::max(total, synced_[s] + plan.shards.updates[s]);
  return total;
}

void StepComposer::begin_clocks(const PlanTables& plan) {
  const std::size_t depth = plan.run.ends.size();
  const std::size_t chunks = chunk_count(plan);
  ClockRules rules = plan.shards.rules;
  rules.passes = plan.run.count;
  chunks_.clear();
  for (std::size_t s = 0; s < depth; ++s)
    for (std::size_t c = 0; c < chunks; ++c) {
      const int v = virtual_stage(plan.layout, {static_cast<int>(s), static_cast<int>(c)});
      const std::size_t kind = plan.stages.of_virtual_stage[static_cast<std::size_t>(v)];
      chunks_.push_back(
          {&plan.stages.kinds[kind].passes, &plan.shards.messages[kind], v + 1 == virtual_stage_count(plan.layout)});
    }
  if (clocks_.size() < depth)
    clocks_.resize(depth);
  for (std::size_t s = 0; s < depth; ++s)
    clocks_[s].begin(rules, {chunks_.data() + s * chunks, chunks});
}

// One stage works through rounds of a forward and a backward pass. When a round leaves both streams as it found them,
// only later, so will all that follow but the last, which may reduce what the others did not.
double StepComposer::one_stage(const PlanTables& plan) {
  begin_clocks(plan);
  StageClock& clock = clocks_.front();
  // Without gathers the compute stream waits for nothing: the other one may fall behind ever more, once it never idles.
  double reductions = 0.0;
  for (const ChunkMessages::Bucket& bucket : plan.shards.messages.front().buckets)
    reductions += bucket.reduction;
  const bool is_free = !plan.shards.rules.shards_parameters && plan.shards.rules.compute_share <= 0.0;
  double now = 0.0;
  before_.clear();
  for (std::int64_t round = 0; round < plan.run.count; ++round) {
    now = clock.pass(0, SlotKind::forward, now).pass;
    now = clock.pass(0, SlotKind::backward, now).pass;
    state_.assign({now, clock.data_end()});
    state_.insert(state_.end(),
                  clock.unit_ends().end() -
                      static_cast<std::ptrdiff_t>(std::min(clock.unit_ends().size(), plan.shards.rules.buffers)),
                  clock.unit_ends().end());
    const std::int64_t left = plan.run.count - 2 - round;
    if (left > 0 && before_.size() == state_.size()) {
      const double period = state_[0] - before_[0];
      const double data_period = state_[1] - before_[1];
      const bool falls_behind =
          is_free && data_period >= period && std::abs(data_period - reductions) <= kRounding * state_[1];
      bool is_steady = falls_behind || std::abs(data_period - period) <= kRounding * state_[1];
      for (std::size_t i = 2; i < state_.size() && is_steady; ++i)
        is_steady = std::abs(state_[i] - before_[i] - period) <= kRounding * state_[i];
      if (is_steady) {
        clock.skip(left, period, data_period);
        now += static_cast<double>(left) * period;
        round += left;
        before_.clear();
        continue;
      }
    }
    before_.swap(state_);
  }
  synced_.assign(1, std::max(now, clock.data_end()));
  return end_of_step(plan);
}

std::optional<double> StepComposer::composed(const PlanTables& plan) {
  const ClockRules& rules = plan.shards.rules;
  const bool meets_in_every_pass = rules.shards_parameters || rules.reduces_every_pass || rules.compute_share > 0.0;
  if (plan.shards.communicates && meets_in_every_pass) {
    if (plan.layout.pp == 1 && plan.layout.schedule == PipelineSchedule::one_f_one_b)
      return one_stage(plan);
    return std::nullopt;
  }
  const std::optional<double> shift = first_gathers(plan);
  if (!shift)
    return std::nullopt;
  last_reductions(plan, *shift);
  return end_of_step(plan);
}

void StepComposer::begin_whole_chunks(const PlanTables& plan) {
  whole_chunks_.clear();
  for (int s = 0; s < plan.layout.pp; ++s)
    for (int c = 0; c < chunks_per_stage(plan.layout); ++c) {
      WholeChunk chunk;
      chunk.kind = plan.stages.of_virtual_stage[static_cast<std::size_t>(virtual_stage(plan.layout, {s, c}))];
      const StageKind& stage = plan.stages.kinds[chunk.kind];
      for (std::size_t slot = 0; slot < chunk.seconds.size(); ++slot) {
        chunk.seconds[slot] = stage.passes.by_kind[slot].sum;
        chunk.tails[slot] = stage.passes.by_kind[slot].tail;
      }
      for (const SlotKind slot : {SlotKind::backward, SlotKind::backward_weight}) {
        const std::vector<double>& ends = stage.part_ends[static_cast<std::size_t>(slot)];
        double reductions = 0.0;
        double& reduced = chunk.reduced[static_cast<std::size_t>(slot)];
        const auto& buckets = plan.shards.messages[chunk.kind].buckets;
        for (std::size_t b = buckets.size(); b-- > 0;) {
          reductions += buckets[b].reduction;
          const double ready = plan.shards.rules.overlaps_gradients ? ends[buckets[b].last_part] : ends.back();
          reduced = std::max(reduced, ready + reductions);
        }
        chunk.reductions = reductions;
      }
      whole_chunks_.push_back(chunk);
    }
}

// Where passes take the same time each, but for the first, they need not be taken apart: what their reductions add to
// the data-parallel stream is a maximum of two sums.
double StepComposer::passes_whole(const PlanTables& plan, std::span<const PipelineStep> order) {
  const std::size_t depth = plan.run.ends.size();
  const std::size_t chunks = chunk_count(plan);
  const ClockRules& rules = plan.shards.rules;
  begin_whole_chunks(plan);
  free_.assign(depth, 0.0);
  passes_.assign(depth, 0.0);
  data_free_.assign(depth, 0.0);
  if (results_.size() < order.size())
    results_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PipelineStep& step = order[i];
    const auto s = static_cast<std::size_t>(step.stage);
    WholeChunk& chunk = whole_chunks_[s * chunks + static_cast<std::size_t>(step.slot.chunk)];
    const auto slot = static_cast<std::size_t>(step.slot.kind);
    double& free = free_[s];
    const double start =
        step.input == PipelineStep::kNoInput ? free : std::max(free, results_[step.input] + plan.run.message);
    free = start + chunk.seconds[slot];
    if (step.slot.kind == SlotKind::forward) {
      if (chunk.forwards++ == 0 && rules.gathers_first)
        free += delay_by_gathers(plan.stages.kinds[chunk.kind], plan.shards.messages[chunk.kind], start, data_free_[s]);
    } else if (step.slot.kind != SlotKind::backward_input) {
      if (++chunk.weights == plan.run.count || rules.reduces_every_pass)
        data_free_[s] = std::max(data_free_[s] + chunk.reductions, start + chunk.reduced[slot]);
    }
    results_[i] = free - chunk.tails[slot];
    passes_[s] = free;
    if (step.sends && !plan.layout.overlap_messages)
      free = std::max(free, results_[i] + plan.run.message);
  }
  synced_.assign(depth, 0.0);
  for (std::size_t s = 0; s < depth; ++s)
    synced_[s] = std::max(passes_[s], data_free_[s]);
  return end_of_step(plan);
}

double StepComposer::walked(const PlanTables& plan, std::span<const PipelineStep> order) {
  const ClockRules& rules = plan.shards.rules;
  return rules.shards_parameters || rules.compute_share > 0.0 ? passes_by_part(plan, order) : passes_whole(plan, order);
}

double StepComposer::passes_by_part(const PlanTables& plan, std::span<const PipelineStep> order) {
  begin_clocks(plan);
  const std::size_t depth = plan.run.ends.size();
  free_.assign(depth, 0.0);
  passes_.assign(depth, 0.0);
  if (results_.size() < order.size())
    results_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PipelineStep& step = order[i];
    const auto s = static_cast<std::size_t>(step.stage);
    const double start =
        step.input == PipelineStep::kNoInput ? free_[s] : std::max(free_[s], results_[step.input] + plan.run.message);
    const PassTimer::Ends ends = clocks_[s].pass(step.slot.chunk, step.slot.kind, start);
    results_[i] = ends.result;
    free_[s] = ends.pass;
    passes_[s] = ends.pass;
    if (step.sends && !plan.layout.overlap_messages)
      free_[s] = std::max(ends.pass, ends.result + plan.run.message);
  }
  synced_.assign(depth, 0.0);
  for (std::size_t s = 0; s < depth; ++s)
    synced_[s] = std::max(passes_[s], clocks_[s].data_end());
  return end_of_step(plan);
}

std::int64_t peak_bytes(const PipelineRun& run, const ShardTable& shards) {
  std::int64_t peak = 0;
  const std::size_t moments = run.activations.size() / shards.resident.size();
  for (std::size_t s = 0; s < shards.resident.size(); ++s) {
    const ShardTable::Resident& resident = shards.resident[s];
    peak = std::max(peak, resident.outside_passes);
    for (std::size_t i = s * moments; i < (s + 1) * moments; ++i) {
      const HeldBytes held{resident.held.fixed + run.activations[i].fixed,
                           resident.held.moving + run.activations[i].moving};
      peak = std::max(peak, reserved_bytes(held, shards.is_fragmented));
    }
  }
  return peak;
}

}  // namespace trainwright::model
