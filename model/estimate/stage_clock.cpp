// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/stage_clock.hpp"

#include <algorithm>

#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {

DataParallelTimes::DataParallelTimes(const Plan& plan) : plan_(plan), shapes_(kGroupAxisWords.size()) {
  const Placement placement(plan.layout, plan.cluster);
  for (const GroupAxis axis :
       {GroupAxis::data_context, GroupAxis::data_shard, GroupAxis::data_replica, GroupAxis::expert_data})
    shapes_[static_cast<std::size_t>(axis)] = group_shape(placement, plan.cluster, axis, RankId(0));
}

double DataParallelTimes::sum(const std::vector<CollectiveWork>& works) const {
  double total = 0.0;
  for (const CollectiveWork& work : works)
    total +=
        plan_.constants.host.task_s +
        collective_duration(work, shapes_[static_cast<std::size_t>(work.axis)], plan_.cluster, plan_.constants).count();
  return total;
}

double DataParallelTimes::reduction(const PartParameters& parameters) const {
  return sum(gradient_reduction(plan_, parameters));
}

double DataParallelTimes::gather(const PartParameters& parameters, Pass pass) const {
  return sum(parameter_gather(plan_, parameters, pass));
}

StageClocks::StageClocks(const Plan& plan, const StageModels& stages)
    : plan_(plan),
      sharding_(sharding_of(plan.layout)),
      count_(micro_batches_of_chunk(plan.layout, micro_batches(plan.layout, plan.job.global_batch))) {
  const DataParallelTimes times(plan);
  for (int stage = 0; stage < plan.layout.pp; ++stage) {
    Clock clock;
    for (int c = 0; c < chunks_per_stage(plan.layout); ++c) {
      const int index = virtual_stage(plan.layout, {stage, c});
      ChunkClock chunk;
      chunk.model = &stages.at(index);
      chunk.is_last = index + 1 == virtual_stage_count(plan.layout);
      chunk.parameters = chunk.model->part_parameters;
      if (sharding_.communicates())
        chunk.buckets = gradient_buckets(chunk.parameters, plan);
      for (const GradientBucket& bucket : chunk.buckets)
        chunk.bucket_times.push_back(times.reduction(bucket.parameters));
      if (sharding_.parameters) {
        for (auto part = chunk.parameters.rbegin(); part != chunk.parameters.rend(); ++part)
          chunk.gather_times.push_back(times.gather(*part));
        for (const PartParameters& part : chunk.parameters)
          chunk.backward_gather_times.push_back(times.gather(part, Pass::backward));
      } else if (sharding_.optimizer)
        for (const GradientBucket& bucket : chunk.buckets)
          chunk.gather_times.push_back(times.gather(bucket.parameters));
      clock.chunks.push_back(std::move(chunk));
    }
    clocks_.push_back(std::move(clock));
  }
}

// Compute of `work` seconds from `now` on; slower while a collective takes its share of the device.
double StageClocks::advance(Clock& clock, double now, double work) {
  const double share = plan_.constants.communication_compute_share;
  const double beside = std::max(0.0, clock.data_free - now);
  if (share <= 0.0 || beside <= 0.0)
    return now + work;
  const double done = std::min(work, beside * (1.0 - share));
  const double slowed = done / (1.0 - share);
  clock.exposed += slowed - done;
  return now + slowed + (work - done);
}

double StageClocks::wait(Clock& clock, double now, double until) {
  if (until <= now)
    return now;
  clock.exposed += until - now;
  return until;
}

void StageClocks::gather_units(Clock& clock, const ChunkClock& chunk, std::size_t current, bool is_forward,
                               std::vector<double>& gathered, std::size_t pass_begin) {
  const std::size_t parts = chunk.parameters.size();
  const std::size_t buffers =
      plan_.layout.overlap_parameters ? static_cast<std::size_t>(plan_.layout.gathers_in_flight) : 1;
  const bool keeps_last = chunk.is_last && plan_.layout.pp == 1;
  for (std::size_t i = gathered.size(); i < std::min(current + buffers, parts); ++i) {
    if (!is_forward && (!plan_.layout.reshard_after_forward || (keeps_last && i == 0))) {
      gathered.push_back(0.0);
      continue;
    }
    const double ready = pass_begin + i >= buffers ? clock.unit_ends[pass_begin + i - buffers] : 0.0;
    clock.data_free =
        std::max(clock.data_free, ready) + (is_forward ? chunk.gather_times : chunk.backward_gather_times)[i];
    gathered.push_back(clock.data_free);
  }
}

double StageClocks::forward(Clock& clock, ChunkClock& chunk, double start) {
  const bool is_first = chunk.forwards++ == 0;
  const bool gathers_buckets =
      is_first && sharding_.optimizer && !sharding_.parameters && plan_.layout.overlap_parameters;
  if (!sharding_.parameters && !gathers_buckets)
    return advance(clock, start, chunk.model->forward.total.count());
  const std::size_t parts = chunk.parameters.size();
  std::vector<double> gathered;
  if (gathers_buckets) {
    gathered.assign(parts, 0.0);
    for (std::size_t b = chunk.buckets.size(); b-- > 0;) {
      clock.data_free += chunk.gather_times[b];
      gathered[parts - 1 - chunk.buckets[b].last_part] = clock.data_free;
    }
  }
  const std::size_t pass_begin = clock.unit_ends.size();
  double now = start;
  for (std::size_t i = 0; i < parts; ++i) {
    if (sharding_.parameters)
      gather_units(clock, chunk, i, true, gathered, pass_begin);
    now = advance(clock, wait(clock, now, gathered[i]), chunk.model->forward_parts[i].total.count());
    if (sharding_.parameters)
      clock.unit_ends.push_back(now);
  }
  return now;
}

double StageClocks::backward(Clock& clock, ChunkClock& chunk, const PipelineSlot& slot, double start) {
  const bool has_weights = slot.kind != SlotKind::backward_input;
  if (has_weights)
    ++chunk.weights;
  const bool reduces = has_weights && !chunk.buckets.empty() && (chunk.weights == count_ || sharding_.gradients);
  const std::vector<ChainTime>& times = slot.kind == SlotKind::backward         ? chunk.model->backward_parts
                                        : slot.kind == SlotKind::backward_input ? chunk.model->backward_input_parts
                                                                                : chunk.model->backward_weight_parts;
  if (!reduces && !sharding_.parameters) {
    double work = 0.0;
    for (const ChainTime& part : times)
      work += part.total.count();
    return advance(clock, start, work);
  }
  const std::size_t pass_begin = clock.unit_ends.size();
  const bool gathers = sharding_.parameters && slot.kind != SlotKind::backward_weight;
  std::vector<double> gathered;
  std::size_t bucket = 0;
  double now = start;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (gathers) {
      gather_units(clock, chunk, i, false, gathered, pass_begin);
      now = wait(clock, now, gathered[i]);
    }
    now = advance(clock, now, times[i].total.count());
    if (gathers)
      clock.unit_ends.push_back(now);
    const bool may_reduce = plan_.layout.overlap_gradients || i + 1 == times.size();
    while (reduces && may_reduce && bucket < chunk.buckets.size() && chunk.buckets[bucket].last_part <= i) {
      clock.data_free = std::max(clock.data_free, now) + chunk.bucket_times[bucket];
      ++bucket;
    }
  }
  return now;
}

PassTimer::Ends StageClocks::ends_of(int stage, const PipelineSlot& slot, double start) {
  Clock& clock = clocks_[static_cast<std::size_t>(stage)];
  ChunkClock& chunk = clock.chunks[static_cast<std::size_t>(slot.chunk)];
  const bool is_forward = slot.kind == SlotKind::forward;
  const double end = is_forward ? forward(clock, chunk, start) : backward(clock, chunk, slot, start);
  const StageModel& m = *chunk.model;
  const std::vector<ChainTime>& parts = is_forward                              ? m.forward_parts
                                        : slot.kind == SlotKind::backward       ? m.backward_parts
                                        : slot.kind == SlotKind::backward_input ? m.backward_input_parts
                                                                                : m.backward_weight_parts;
  return {end, end - parts.back().after_output.count()};
}

}  // namespace trainwright::model
