// Builds the execution graph of a plan: one program per pipeline stage.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/base/contract.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/pipeline_schedule.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {
namespace {

constexpr std::int32_t kForwardTag = 0;
constexpr std::int32_t kBackwardTag = 1;

class StageBuilder {
 public:
  StageBuilder(const Plan& plan, const OperatorGraph& operators, int stage) : plan_(plan), stage_(stage) {
    const int layers = layer_count(plan.model);
    const LayerRange range = stage_layers(layers, stage, plan.layout.pp);
    if (is_first())
      parts_.push_back(lower(operators, operators.of_layer(-1), plan));
    for (int layer = range.begin; layer < range.end; ++layer)
      parts_.push_back(lower(operators, operators.of_layer(layer), plan));
    if (is_last())
      parts_.push_back(lower(operators, operators.of_layer(layers), plan));
    program_.stage = StageId(stage);
  }

  Program build() {
    const std::int64_t count = micro_batches(plan_.layout, plan_.job.global_batch);
    for (const PipelineSlot& slot : pipeline_slots(plan_.layout.schedule, stage_, plan_.layout.pp, count)) {
      if (slot.is_forward)
        forward(slot.micro_batch);
      else
        backward(slot.micro_batch, slot.micro_batch == count - 1);
    }
    synchronize_embedding();
    optimizer();
    add_resident();
    std::stable_sort(program_.dependencies.begin(), program_.dependencies.end(),
                     [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
    return std::move(program_);
  }

 private:
  [[nodiscard]] bool is_first() const { return stage_ == 0; }
  [[nodiscard]] bool is_last() const { return stage_ == plan_.layout.pp - 1; }

  TaskId add(Task task) {
    program_.tasks.push_back(std::move(task));
    return TaskId(program_.tasks.size() - 1);
  }
  void depend(std::optional<TaskId> before, TaskId after) {
    if (before && program_.tasks[before->index()].stream != program_.tasks[after.index()].stream)
      program_.dependencies.push_back({*before, after});
  }

  // Copies a chain into the program; returns the task that makes its result available.
  std::optional<TaskId> place(const TaskChain& chain, std::optional<TaskId> input, int micro_batch) {
    const auto first = static_cast<std::int32_t>(program_.tasks.size());
    for (Task task : chain.tasks) {
      task.phase.micro_batch = micro_batch;
      program_.tasks.push_back(task);
    }
    for (const Dependency& d : chain.dependencies)
      program_.dependencies.push_back({TaskId(first + d.before.value()), TaskId(first + d.after.value())});
    for (const TaskId entry : chain.entries)
      depend(input, TaskId(first + entry.value()));
    if (!chain.output)
      return input;
    return TaskId(first + chain.output->value());
  }

  Task transfer(bool is_send, int peer, Stream stream, std::int32_t direction_tag, int micro_batch, Pass pass) const {
    Task task;
    task.work = TransferWork{is_send, StageId(peer), boundary_bytes(plan_), 2 * micro_batch + direction_tag,
                             message_precision(plan_.job)};
    task.stream = stream;
    task.phase.pass = pass;
    task.phase.micro_batch = micro_batch;
    return task;
  }

  // At most one message is received ahead of the micro-batch in work, so that waiting input does not pile up in memory.
  void receive_after(TaskId receive, std::vector<TaskId>& ends) {
    if (ends.size() >= 2)
      depend(ends[ends.size() - 2], receive);
  }

  void forward(int micro_batch) {
    std::optional<TaskId> ready;
    if (!is_first()) {
      ready = add(transfer(false, stage_ - 1, Stream::receive_forward, kForwardTag, micro_batch, Pass::forward));
      receive_after(*ready, forward_ends_);
    }
    for (const LoweredPart& part : parts_)
      ready = place(part.forward, ready, micro_batch);
    forward_ends_.push_back(*ready);
    if (!is_last()) {
      const TaskId send =
          add(transfer(true, stage_ + 1, Stream::send_forward, kForwardTag, micro_batch, Pass::forward));
      depend(ready, send);
    }
    last_compute_ = ready;
  }

  void backward(int micro_batch, bool is_last_micro_batch) {
    std::optional<TaskId> ready = last_compute_;
    if (!is_last()) {
      ready = add(transfer(false, stage_ + 1, Stream::receive_backward, kBackwardTag, micro_batch, Pass::backward));
      receive_after(*ready, backward_ends_);
    }
    std::vector<TaskId> part_ends;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      ready = place(part->backward, ready, micro_batch);
      part_ends.push_back(TaskId(program_.tasks.size() - 1));
      if (is_last_micro_batch && plan_.layout.overlap_gradients)
        synchronize_buckets(part_ends);
    }
    backward_ends_.push_back(*ready);
    if (!is_first()) {
      const TaskId send =
          add(transfer(true, stage_ - 1, Stream::send_backward, kBackwardTag, micro_batch, Pass::backward));
      depend(ready, send);
    }
    last_compute_ = ready;
    if (is_last_micro_batch && !plan_.layout.overlap_gradients)
      synchronize_buckets(part_ends);
  }

  // Emits the buckets whose last part has been placed.
  void synchronize_buckets(const std::vector<TaskId>& part_ends) {
    if (plan_.layout.dp * plan_.layout.cp == 1)
      return;
    if (buckets_.empty()) {
      std::vector<std::int64_t> parameters;
      for (auto part = parts_.rbegin(); part != parts_.rend(); ++part)
        parameters.push_back(part->parameters);
      buckets_ = gradient_buckets(parameters, plan_);
    }
    while (next_bucket_ < buckets_.size() && buckets_[next_bucket_].last_part < part_ends.size()) {
      const GradientBucket& bucket = buckets_[next_bucket_++];
      Task task;
      task.work = CollectiveWork{CollectiveKind::all_reduce, GroupAxis::data_context, bucket.bytes,
                                 message_precision(plan_.job)};
      task.stream = Stream::data;
      task.phase.pass = Pass::gradient_sync;
      const TaskId id = add(task);
      depend(part_ends[bucket.last_part], id);
      syncs_.push_back(id);
    }
  }

  void synchronize_embedding() {
    if (!plan_.model.tied_embeddings || plan_.layout.pp == 1 || !(is_first() || is_last()))
      return;
    Task task;
    task.work = CollectiveWork{CollectiveKind::all_reduce, GroupAxis::embedding, tied_embedding_bytes(plan_),
                               message_precision(plan_.job)};
    task.stream = Stream::data;
    task.phase.pass = Pass::gradient_sync;
    const TaskId id = add(task);
    depend(TaskId(last_compute_task()), id);
    syncs_.push_back(id);
  }

  [[nodiscard]] std::int32_t last_compute_task() const {
    auto i = static_cast<std::int32_t>(program_.tasks.size()) - 1;
    while (program_.tasks[static_cast<std::size_t>(i)].stream != Stream::compute)
      --i;
    return i;
  }

  void optimizer() {
    Task task;
    task.work = OptimizerWork{parameters(), state_recipe(plan_.job).optimizer_traffic};
    task.phase.pass = Pass::optimizer;
    const TaskId id = add(task);
    for (const TaskId sync : syncs_)
      depend(sync, id);
  }

  [[nodiscard]] std::int64_t parameters() const {
    std::int64_t sum = 0;
    for (const LoweredPart& part : parts_)
      sum += part.parameters;
    return sum;
  }

  void add_resident() {
    const StateRecipe recipe = state_recipe(plan_.job);
    const ByteCount n(parameters());
    program_.resident = {{MemoryTerm::weights, n * recipe.weight},
                         {MemoryTerm::gradients, n * recipe.gradient},
                         {MemoryTerm::master_weights, n * recipe.master},
                         {MemoryTerm::moments, n * recipe.moments}};
  }

  const Plan& plan_;
  int stage_;
  std::vector<LoweredPart> parts_;  // in forward order
  Program program_;
  std::optional<TaskId> last_compute_;
  std::vector<TaskId> forward_ends_;
  std::vector<TaskId> backward_ends_;
  std::vector<GradientBucket> buckets_;
  std::size_t next_bucket_ = 0;
  std::vector<TaskId> syncs_;
};

}  // namespace

ExecutionGraph build_execution_graph(const Plan& plan) {
  const OperatorGraph operators(plan.model);
  std::vector<Program> programs;
  for (int stage = 0; stage < plan.layout.pp; ++stage)
    programs.push_back(StageBuilder(plan, operators, stage).build());
  Placement placement(plan.layout, plan.cluster);
  std::vector<ProgramId> program_of_rank;
  for (int rank = 0; rank < placement.world_size(); ++rank)
    program_of_rank.push_back(ProgramId(placement.stage(RankId(rank)).value()));
  return {std::move(placement), std::move(programs), std::move(program_of_rank)};
}

}  // namespace trainwright::model
