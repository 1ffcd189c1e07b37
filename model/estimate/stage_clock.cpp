// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/stage_clock.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

PassParts parts_of(const std::vector<ChainTime>& chains) {
  PassParts parts;
  for (const ChainTime& chain : chains) {
    parts.seconds.push_back(chain.total.count());
    parts.sum += chain.total.count();
  }
  if (!chains.empty())
    parts.tail = chains.back().after_output.count();
  return parts;
}

// Layers repeat: the time of the same parameters is not asked for twice in a row.
class Remembered {
 public:
  template <class Ask>
  double of(const PartParameters& parameters, Ask ask) {
    if (!known_ || !(known_->first == parameters))
      known_ = {parameters, ask()};
    return known_->second;
  }

 private:
  std::optional<std::pair<PartParameters, double>> known_;
};

}  // namespace

DataParallelGroups::DataParallelGroups(const Plan& plan) {
  const Placement placement(plan.layout, plan.cluster);
  for (const GroupAxis axis :
       {GroupAxis::data_context, GroupAxis::data_shard, GroupAxis::data_replica, GroupAxis::expert_data})
    shapes_[static_cast<std::size_t>(axis)] = group_shape(placement, plan.cluster, axis, RankId(0));
}

double DataParallelTimes::sum(const std::vector<CollectiveWork>& works) const {
  double total = 0.0;
  for (const CollectiveWork& work : works)
    total += plan_.constants.host.task_s +
             collective_duration(work, groups_.shape(work.axis), plan_.cluster, plan_.constants).count();
  return total;
}

double DataParallelTimes::reduction(const PartParameters& parameters) const {
  return sum(gradient_reduction(plan_, parameters));
}

double DataParallelTimes::gather(const PartParameters& parameters, Pass pass) const {
  return sum(parameter_gather(plan_, parameters, pass));
}

ChunkPasses chunk_passes(const StageModel& stage) {
  ChunkPasses passes;
  passes.by_kind[static_cast<std::size_t>(SlotKind::forward)] = parts_of(stage.forward_parts);
  passes.by_kind[static_cast<std::size_t>(SlotKind::backward)] = parts_of(stage.backward_parts);
  passes.by_kind[static_cast<std::size_t>(SlotKind::backward_input)] = parts_of(stage.backward_input_parts);
  passes.by_kind[static_cast<std::size_t>(SlotKind::backward_weight)] = parts_of(stage.backward_weight_parts);
  return passes;
}

ChunkMessages chunk_messages(const Plan& plan, const DataParallelTimes& times,
                             const std::vector<PartParameters>& parts) {
  const Sharding sharding = sharding_of(plan.layout);
  ChunkMessages messages;
  Remembered reductions;
  Remembered gathers;
  const auto gather = [&](const PartParameters& parameters) {
    return gathers.of(parameters, [&] { return times.gather(parameters); });
  };
  const bool gathers_buckets = sharding.optimizer && !sharding.parameters;
  if (sharding.communicates())
    for (const GradientBucket& bucket : gradient_buckets(parts, plan))
      messages.buckets.push_back({bucket.last_part,
                                  reductions.of(bucket.parameters, [&] { return times.reduction(bucket.parameters); }),
                                  gathers_buckets ? gather(bucket.parameters) : 0.0});
  if (!sharding.parameters)
    return messages;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    messages.unit_gathers.push_back(gather(*part));
  Remembered backward_gathers;
  for (const PartParameters& part : parts)
    messages.backward_unit_gathers.push_back(
        backward_gathers.of(part, [&] { return times.gather(part, Pass::backward); }));
  return messages;
}

ClockRules clock_rules(const Plan& plan) {
  const Layout& layout = plan.layout;
  const Sharding sharding = sharding_of(layout);
  ClockRules rules;
  rules.shards_parameters = sharding.parameters;
  rules.reduces_every_pass = sharding.gradients;
  rules.gathers_first = sharding.optimizer && !sharding.parameters && layout.overlap_parameters;
  rules.overlaps_gradients = layout.overlap_gradients;
  rules.reshards = layout.reshard_after_forward;
  rules.keeps_last = layout.pp == 1;
  rules.buffers = layout.overlap_parameters ? static_cast<std::size_t>(layout.gathers_in_flight) : 1;
  rules.passes = micro_batches_of_chunk(layout, micro_batches(layout, plan.job.global_batch));
  rules.compute_share = plan.constants.communication_compute_share;
  return rules;
}

void StageClock::begin(const ClockRules& rules, std::span<const Chunk> chunks) {
  rules_ = rules;
  chunks_ = chunks;
  counts_.assign(chunks.size(), {});
  data_free_ = 0.0;
  exposed_ = 0.0;
  unit_ends_.clear();
  units_before_ = 0;
}

// Compute of `work` seconds from `now` on; slower while a collective takes its share of the device.
double StageClock::advance(double now, double work) {
  const double share = rules_.compute_share;
  const double beside = std::max(0.0, data_free_ - now);
  if (share <= 0.0 || beside <= 0.0)
    return now + work;
  const double done = std::min(work, beside * (1.0 - share));
  const double slowed = done / (1.0 - share);
  exposed_ += slowed - done;
  return now + slowed + (work - done);
}

double StageClock::wait(double now, double until) {
  if (until <= now)
    return now;
  exposed_ += until - now;
  return until;
}

// Of the units before this pass only those count whose buffers are given to new ones.
void StageClock::begin_units() {
  gathered_.clear();
  const std::size_t kept = std::min(unit_ends_.size(), rules_.buffers);
  unit_ends_.erase(unit_ends_.begin(), unit_ends_.end() - static_cast<std::ptrdiff_t>(kept));
  units_before_ = kept;
}

void StageClock::gather_units(const Chunk& chunk, std::size_t current, bool is_forward) {
  const std::vector<double>& gathers =
      is_forward ? chunk.messages->unit_gathers : chunk.messages->backward_unit_gathers;
  const std::size_t parts = gathers.size();
  const bool keeps_last = chunk.is_last && rules_.keeps_last;
  for (std::size_t i = gathered_.size(); i < std::min(current + rules_.buffers, parts); ++i) {
    if (!is_forward && (!rules_.reshards || (keeps_last && i == 0))) {
      gathered_.push_back(0.0);
      continue;
    }
    const double ready = units_before_ + i >= rules_.buffers ? unit_ends_[units_before_ + i - rules_.buffers] : 0.0;
    data_free_ = std::max(data_free_, ready) + gathers[i];
    gathered_.push_back(data_free_);
  }
}

double StageClock::forward(const Chunk& chunk, bool is_first, double start) {
  const PassParts& parts = chunk.passes->of(SlotKind::forward);
  const bool gathers_buckets = is_first && rules_.gathers_first;
  if (!rules_.shards_parameters && !gathers_buckets)
    return advance(start, parts.sum);
  const std::size_t count = parts.seconds.size();
  if (gathers_buckets) {
    gathered_.assign(count, 0.0);
    const auto& buckets = chunk.messages->buckets;
    for (std::size_t b = buckets.size(); b-- > 0;) {
      data_free_ += buckets[b].gather;
      gathered_[count - 1 - buckets[b].last_part] = data_free_;
    }
  } else {
    begin_units();
  }
  double now = start;
  for (std::size_t i = 0; i < count; ++i) {
    if (rules_.shards_parameters)
      gather_units(chunk, i, true);
    now = advance(wait(now, gathered_[i]), parts.seconds[i]);
    if (rules_.shards_parameters)
      unit_ends_.push_back(now);
  }
  return now;
}

double StageClock::backward(const Chunk& chunk, Counts& counts, SlotKind kind, double start) {
  const bool has_weights = kind != SlotKind::backward_input;
  if (has_weights)
    ++counts.weights;
  const auto& buckets = chunk.messages->buckets;
  const bool reduces =
      has_weights && !buckets.empty() && (counts.weights == rules_.passes || rules_.reduces_every_pass);
  const PassParts& parts = chunk.passes->of(kind);
  if (!reduces && !rules_.shards_parameters)
    return advance(start, parts.sum);
  const bool gathers = rules_.shards_parameters && kind != SlotKind::backward_weight;
  if (gathers)
    begin_units();
  std::size_t bucket = 0;
  double now = start;
  for (std::size_t i = 0; i < parts.seconds.size(); ++i) {
    if (gathers) {
      gather_units(chunk, i, false);
      now = wait(now, gathered_[i]);
    }
    now = advance(now, parts.seconds[i]);
    if (gathers)
      unit_ends_.push_back(now);
    const bool may_reduce = rules_.overlaps_gradients || i + 1 == parts.seconds.size();
    while (reduces && may_reduce && bucket < buckets.size() && buckets[bucket].last_part <= i) {
      data_free_ = std::max(data_free_, now) + buckets[bucket].reduction;
      ++bucket;
    }
  }
  return now;
}

PassTimer::Ends StageClock::pass(int index, SlotKind kind, double start) {
  const Chunk& chunk = chunks_[static_cast<std::size_t>(index)];
  Counts& counts = counts_[static_cast<std::size_t>(index)];
  const double end =
      kind == SlotKind::forward ? forward(chunk, counts.forwards++ == 0, start) : backward(chunk, counts, kind, start);
  return {end, end - chunk.passes->of(kind).tail};
}

void StageClock::skip(std::int64_t rounds, double compute_period, double data_period) {
  counts_.front().forwards += rounds;
  counts_.front().weights += rounds;
  data_free_ += static_cast<double>(rounds) * data_period;
  for (double& end : unit_ends_)
    end += static_cast<double>(rounds) * compute_period;
}

StageClocks::StageClocks(const Plan& plan, const StageModels& stages) {
  const DataParallelGroups groups(plan);
  const DataParallelTimes times(plan, groups);
  for (const StageModel& stage : stages.distinct) {
    passes_.push_back(chunk_passes(stage));
    messages_.push_back(chunk_messages(plan, times, stage.part_parameters));
  }
  const ClockRules rules = clock_rules(plan);
  const auto depth = static_cast<std::size_t>(plan.layout.pp);
  chunks_.resize(depth);
  clocks_.resize(depth);
  for (std::size_t stage = 0; stage < depth; ++stage) {
    for (int c = 0; c < chunks_per_stage(plan.layout); ++c) {
      const int index = virtual_stage(plan.layout, {static_cast<int>(stage), c});
      const std::size_t kind = stages.of_virtual_stage[static_cast<std::size_t>(index)];
      chunks_[stage].push_back({&passes_[kind], &messages_[kind], index + 1 == virtual_stage_count(plan.layout)});
    }
    clocks_[stage].begin(rules, chunks_[stage]);
  }
}

PassTimer::Ends StageClocks::ends_of(int stage, const PipelineSlot& slot, double start) {
  return clocks_[static_cast<std::size_t>(stage)].pass(slot.chunk, slot.kind, start);
}

}  // namespace trainwright::model
