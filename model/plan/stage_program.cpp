// SPDX-License-Identifier: Apache-2.0
#include "model/plan/stage_program.hpp"

#include <algorithm>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

bool computes_weight_gradient(const Task& task) {
  return task.phase.part == BackwardPart::weight;
}

}  // namespace

std::vector<LoweredPart> lower_model(const Plan& plan) {
  const OperatorGraph operators(plan.model);
  const int layers = layer_count(plan.model);
  std::vector<LoweredPart> parts;
  const auto add = [&](int layer, Recompute recompute) {
    parts.push_back(lower(operators, operators.of_layer(layer), plan, recompute));
  };
  add(-1, Recompute::none);
  for (const LayerRange& range : layer_ranges(layers, plan.layout))
    for (int layer = range.begin; layer < range.end; ++layer)
      add(layer, layer_recompute(plan.layout, range, layer));
  add(layers, Recompute::none);
  return parts;
}

StageProgram::StageProgram(const Plan& plan, const std::vector<LoweredPart>& parts, int stage)
    : plan_(plan),
      stage_(stage),
      count_(micro_batches(plan.layout, plan.job.global_batch)),
      sharding_(sharding_of(plan.layout)) {
  const std::vector<LayerRange> ranges = layer_ranges(static_cast<int>(parts.size()) - 2, plan.layout);
  for (int c = 0; c < chunks_per_stage(plan.layout); ++c) {
    Chunk chunk;
    chunk.place = {stage, c};
    const int index = virtual_stage(plan.layout, chunk.place);
    chunk.is_first = index == 0;
    chunk.is_last = index + 1 == virtual_stage_count(plan.layout);
    const LayerRange& range = ranges[static_cast<std::size_t>(index)];
    if (chunk.is_first)
      chunk.parts.push_back(&parts.front());
    for (int layer = range.begin; layer < range.end; ++layer)
      chunk.parts.push_back(&parts[static_cast<std::size_t>(layer) + 1]);
    if (chunk.is_last)
      chunk.parts.push_back(&parts.back());
    std::vector<PartParameters> backwards;
    for (auto part = chunk.parts.rbegin(); part != chunk.parts.rend(); ++part)
      backwards.push_back(parameters_of(**part));
    if (sharding_.communicates())
      chunk.buckets = gradient_buckets(backwards, plan);
    chunks_.push_back(std::move(chunk));
  }
  program_.stage = StageId(stage);
}

Program StageProgram::build() {
  for (const PipelineSlot& slot : pipeline_slots(plan_.layout, stage_, count_)) {
    Chunk& chunk = chunks_[static_cast<std::size_t>(slot.chunk)];
    switch (slot.kind) {
      case SlotKind::forward:
        forward(chunk, slot);
        break;
      case SlotKind::backward:
      case SlotKind::backward_input:
        backward(chunk, slot);
        break;
      case SlotKind::backward_weight:
        weight_gradients(chunk, slot);
        break;
    }
  }
  synchronize_mirror();
  synchronize_embedding();
  update();
  add_resident();
  std::stable_sort(program_.dependencies.begin(), program_.dependencies.end(),
                   [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
  return std::move(program_);
}

TaskId StageProgram::add(const Task& task) {
  program_.tasks.push_back(task);
  return TaskId(program_.tasks.size() - 1);
}

void StageProgram::depend(std::optional<TaskId> before, TaskId after) {
  if (before && program_.tasks[before->index()].stream != program_.tasks[after.index()].stream)
    program_.dependencies.push_back({*before, after});
}

// Copies a chain, or the tasks of one kind of gradient, into the program; returns the task that makes its result
// available.
std::optional<TaskId> StageProgram::place(const TaskChain& chain, Gradients which, const std::vector<TaskId>& inputs,
                                          const PipelineSlot& slot) {
  std::vector<std::optional<TaskId>> placed(chain.tasks.size());
  for (std::size_t i = 0; i < chain.tasks.size(); ++i) {
    if (which != Gradients::all && computes_weight_gradient(chain.tasks[i]) != (which == Gradients::of_weights))
      continue;
    Task task = chain.tasks[i];
    task.phase.micro_batch = slot.micro_batch;
    task.phase.chunk = slot.chunk;
    placed[i] = add(task);
  }
  for (const Dependency& d : chain.dependencies)
    if (placed[d.before.index()] && placed[d.after.index()])
      program_.dependencies.push_back({*placed[d.before.index()], *placed[d.after.index()]});
  for (const TaskId entry : chain.entries)
    if (placed[entry.index()])
      for (const TaskId input : inputs)
        depend(input, *placed[entry.index()]);
  if (!chain.output || !placed[chain.output->index()])
    return std::nullopt;
  return placed[chain.output->index()];
}

Task StageProgram::transfer(bool is_send, ChunkPlace here, ChunkPlace peer, Pass pass, const PipelineSlot& slot) const {
  const bool is_forward = pass == Pass::forward;
  // Both ends name a message by the chunk that receives it.
  const ChunkPlace receiver = is_send ? peer : here;
  const int chunks = chunks_per_stage(plan_.layout);
  Task task;
  task.work = TransferWork{is_send, StageId(peer.stage), boundary_bytes(plan_),
                           2 * (slot.micro_batch * chunks + receiver.chunk) + (is_forward ? 0 : 1),
                           message_precision(plan_.job)};
  const bool is_mirrored = plan_.layout.schedule == PipelineSchedule::dual_pipe && here.chunk == 1;
  if (is_forward != is_mirrored)
    task.stream = is_send ? Stream::send_forward : Stream::receive_forward;
  else
    task.stream = is_send ? Stream::send_backward : Stream::receive_backward;
  task.phase.pass = pass;
  task.phase.micro_batch = slot.micro_batch;
  task.phase.chunk = slot.chunk;
  return task;
}

// At most one message is received ahead of the micro-batch in work, so that waiting input does not pile up in memory.
void StageProgram::limit_receives(TaskId receive, const std::vector<TaskId>& ends) {
  if (ends.size() >= 2)
    depend(ends[ends.size() - 2], receive);
}

void StageProgram::forward(Chunk& chunk, const PipelineSlot& slot) {
  if (chunk.forwards++ == 0)
    gather_for_step(chunk);
  std::vector<TaskId> inputs;
  if (!chunk.is_first) {
    inputs.push_back(add(transfer(false, chunk.place, previous_place(plan_.layout, chunk.place), Pass::forward, slot)));
    limit_receives(inputs.back(), chunk.forward_ends);
  }
  pass_begin_ = unit_ends_.size();
  for (std::size_t i = 0; i < chunk.parts.size(); ++i) {
    if (sharding_.parameters)
      gather_units(chunk, i, true);
    std::vector<TaskId> needed = inputs;
    if (i < pass_gathers_.size())
      needed.insert(needed.end(), pass_gathers_[i].begin(), pass_gathers_[i].end());
    if (const std::optional<TaskId> end = place(chunk.parts[i]->forward, Gradients::all, needed, slot))
      inputs = {*end};
    if (sharding_.parameters)
      unit_ends_.push_back(last_compute_task());
  }
  pass_gathers_.clear();
  TRAINWRIGHT_ENSURES(!inputs.empty(), "a chunk without tasks");
  chunk.forward_ends.push_back(inputs.front());
  if (!chunk.is_last)
    depend(inputs.front(),
           add(transfer(true, chunk.place, next_place(plan_.layout, chunk.place), Pass::forward, slot)));
}

void StageProgram::backward(Chunk& chunk, const PipelineSlot& slot) {
  const Gradients which = slot.kind == SlotKind::backward ? Gradients::all : Gradients::of_input;
  std::vector<TaskId> inputs;
  if (!chunk.is_last) {
    inputs.push_back(add(transfer(false, chunk.place, next_place(plan_.layout, chunk.place), Pass::backward, slot)));
    limit_receives(inputs.back(), chunk.backward_ends);
  } else {
    const std::int64_t index = slot.micro_batch % micro_batches_of_chunk(plan_.layout, count_);
    inputs.push_back(chunk.forward_ends[static_cast<std::size_t>(index)]);
  }
  if (which == Gradients::all) {
    ++chunk.backwards;
    chunk.reduced = 0;
  }
  pass_begin_ = unit_ends_.size();
  std::vector<TaskId> part_ends;
  const std::size_t parts = chunk.parts.size();
  for (std::size_t i = 0; i < parts; ++i) {
    if (sharding_.parameters)
      gather_units(chunk, i, false);
    std::vector<TaskId> needed = inputs;
    if (i < pass_gathers_.size())
      needed.insert(needed.end(), pass_gathers_[i].begin(), pass_gathers_[i].end());
    if (const std::optional<TaskId> end = place(chunk.parts[parts - 1 - i]->backward, which, needed, slot))
      inputs = {*end};
    part_ends.push_back(last_compute_task());
    if (sharding_.parameters)
      unit_ends_.push_back(part_ends.back());
    if (which == Gradients::all)
      reduce(chunk, part_ends, i + 1 == parts);
  }
  pass_gathers_.clear();
  chunk.backward_ends.push_back(inputs.front());
  if (!chunk.is_first)
    depend(inputs.front(),
           add(transfer(true, chunk.place, previous_place(plan_.layout, chunk.place), Pass::backward, slot)));
}

void StageProgram::weight_gradients(Chunk& chunk, const PipelineSlot& slot) {
  ++chunk.backwards;
  chunk.reduced = 0;
  std::vector<TaskId> part_ends;
  for (auto part = chunk.parts.rbegin(); part != chunk.parts.rend(); ++part) {
    place((*part)->backward, Gradients::of_weights, {}, slot);
    part_ends.push_back(last_compute_task());
    reduce(chunk, part_ends, part + 1 == chunk.parts.rend());
  }
}

TaskId StageProgram::last_compute_task() const {
  auto i = program_.tasks.size() - 1;
  while (program_.tasks[i].stream != Stream::compute)
    --i;
  return TaskId(i);
}

}  // namespace trainwright::model
