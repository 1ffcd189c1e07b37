// Communication over data-parallel ranks in the program of a stage: gradients reduced, parameters gathered.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/plan/stage_program.hpp"

namespace trainwright::model {

// One collective after the other on the data stream, the first after `after`; the last ones are what to wait for.
std::vector<TaskId> StageProgram::communicate(const std::vector<CollectiveWork>& works,
                                              const std::vector<TaskId>& after) {
  std::vector<TaskId> ends;
  for (const CollectiveWork& work : works) {
    Task task;
    task.work = work;
    task.stream = Stream::data;
    task.phase.pass = Pass::gradient_sync;
    const TaskId id = add(task);
    for (const TaskId before : after)
      depend(before, id);
    ends = {id};  // a stream runs in order: the last ends last
  }
  return ends;
}

// Zero 1 and 2: the weights that the last step updated are gathered bucket by bucket beside the first forward pass. A
// step of many alike begins with what the one before left to do. Without overlap update() gathers all at once.
void StageProgram::gather_for_step(Chunk& chunk) {
  if (!sharding_.optimizer || sharding_.parameters || !plan_.layout.overlap_parameters)
    return;
  const std::size_t parts = chunk.parts.size();
  pass_gathers_.assign(parts, {});
  // Buckets count parts from the back.
  for (auto bucket = chunk.buckets.rbegin(); bucket != chunk.buckets.rend(); ++bucket)
    pass_gathers_[parts - 1 - bucket->last_part] = communicate(parameter_gather(plan_, bucket->parameters), {});
}

// Gathers the parts of the pass in work up to those that run ahead of part `current`, each as soon as the unit that had
// its buffer is through.
void StageProgram::gather_units(const Chunk& chunk, std::size_t current, bool is_forward) {
  const std::size_t parts = chunk.parts.size();
  const std::size_t buffers =
      plan_.layout.overlap_parameters ? static_cast<std::size_t>(plan_.layout.gathers_in_flight) : 1;
  // Kept from the forward pass: all without resharding, else the last unit, where the backward pass follows at once.
  const bool keeps_all = !plan_.layout.reshard_after_forward;
  const bool keeps_last = chunk.is_last && plan_.layout.pp == 1;
  for (std::size_t i = pass_gathers_.size(); i < std::min(current + buffers, parts); ++i) {
    const LoweredPart& part = *chunk.parts[is_forward ? i : parts - 1 - i];
    if (!is_forward && (keeps_all || (keeps_last && i == 0))) {
      pass_gathers_.emplace_back();
      continue;
    }
    std::vector<TaskId> after;
    if (pass_begin_ + i >= buffers)
      after = {unit_ends_[pass_begin_ + i - buffers]};
    pass_gathers_.push_back(
        communicate(parameter_gather(plan_, parameters_of(part), is_forward ? Pass::forward : Pass::backward), after));
  }
}

// Reduces the buckets whose last part is done, beside the backward pass if so asked.
void StageProgram::reduce(Chunk& chunk, const std::vector<TaskId>& part_ends, bool is_end_of_pass) {
  const bool is_last_pass = chunk.backwards == micro_batches_of_chunk(plan_.layout, count_);
  if (!is_last_pass && !sharding_.gradients)
    return;
  if (!plan_.layout.overlap_gradients && !is_end_of_pass)
    return;
  while (chunk.reduced < chunk.buckets.size() && chunk.buckets[chunk.reduced].last_part < part_ends.size()) {
    const GradientBucket& bucket = chunk.buckets[chunk.reduced++];
    const TaskId after = plan_.layout.overlap_gradients ? part_ends[bucket.last_part] : part_ends.back();
    for (const TaskId end : communicate(gradient_reduction(plan_, bucket.parameters), {after}))
      syncs_.push_back(end);
  }
}

// DualPipe: two stages hold the same layers.
void StageProgram::synchronize_mirror() {
  if (plan_.layout.schedule != PipelineSchedule::dual_pipe)
    return;
  PartParameters all;
  for (const PartParameters& part : all_parts())
    all += part;
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::mirror,
                            tensor_bytes(updated_parameters(plan_, all), message_precision(plan_.job)),
                            message_precision(plan_.job)};
  const std::vector<TaskId> ends = communicate({work}, {last_compute_task()});
  syncs_.insert(syncs_.end(), ends.begin(), ends.end());
}

void StageProgram::synchronize_embedding() {
  const bool is_end = stage_ == 0 || stage_ == plan_.layout.pp - 1;
  if (!plan_.model.tied_embeddings || plan_.layout.pp == 1 || !is_end ||
      plan_.layout.schedule == PipelineSchedule::dual_pipe)
    return;
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::embedding, tied_embedding_bytes(plan_),
                            message_precision(plan_.job)};
  const std::vector<TaskId> ends = communicate({work}, {last_compute_task()});
  syncs_.insert(syncs_.end(), ends.begin(), ends.end());
}

void StageProgram::update() {
  PartParameters all;
  for (const PartParameters& part : all_parts())
    all += part;
  Task task;
  task.work = OptimizerWork{updated_parameters(plan_, all), state_recipe(plan_.job).optimizer_traffic};
  task.phase.pass = Pass::optimizer;
  const TaskId id = add(task);
  for (const TaskId sync : syncs_)
    depend(sync, id);
  if (sharding_.optimizer && !sharding_.parameters && !plan_.layout.overlap_parameters)
    communicate(parameter_gather(plan_, all), {id});
}

std::vector<PartParameters> StageProgram::all_parts() const {
  std::vector<PartParameters> all;
  for (const Chunk& chunk : chunks_)
    for (const LoweredPart* part : chunk.parts)
      all.push_back(parameters_of(*part));
  return all;
}

void StageProgram::add_resident() {
  program_.resident = resident_memory(plan_, all_parts());
}

}  // namespace trainwright::model
