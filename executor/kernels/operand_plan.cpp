// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/operand_plan.hpp"

#include <algorithm>
#include <variant>

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::MemoryTerm;
using model::Pass;

std::int64_t floats_of(model::ByteCount bytes) {
  return model::divide_up(bytes, static_cast<std::int64_t>(sizeof(float))).count();
}

bool is_step_end(Pass pass) {
  return pass == Pass::optimizer || pass == Pass::gradient_sync;
}

TaskDemand demand_of_work(const model::GemmWork& work, const model::Phase& phase) {
  const std::int64_t left = work.m * work.k * work.batch;
  const std::int64_t right = work.k * work.n * work.batch;
  const std::int64_t result = work.m * work.n * work.batch;
  TaskDemand demand;
  if (phase.pass != Pass::backward) {
    demand.activations = {left, result};
    demand.weights = {0, right};
  } else if (phase.part == BackwardPart::weight) {
    demand.activations = {0, left};
    demand.activation_gradients = {right, 0};
    demand.weight_gradients = {0, result};
  } else {
    demand.activation_gradients = {left, result};
    demand.weights = {0, right};
  }
  return demand;
}

TaskDemand demand_of_work(const model::AttentionWork& work, const model::Phase&) {
  const AttentionSizes sizes = attention_sizes(work);
  const std::int64_t inputs = attention_input_count(sizes);
  TaskDemand demand;
  if (!work.backward) {
    demand.activations = {inputs, sizes.output_count() + (work.fused ? 0 : sizes.score_count())};
  } else {
    demand.activations = {0, inputs + (work.fused ? sizes.output_count() : sizes.score_count())};
    demand.activation_gradients = {sizes.output_count(), inputs};
  }
  demand.row_statistics = work.fused ? sizes.row_count() : 0;
  if (work.fused)
    demand.work = attention_work_count(sizes);
  else if (work.backward)
    demand.work = sizes.seq_q * sizes.seq_kv;
  return demand;
}

TaskDemand demand_of_work(const model::MemoryWork& work, const model::Phase& phase) {
  const std::int64_t reads = floats_of(work.reads);
  const std::int64_t writes = floats_of(work.writes);
  TaskDemand demand;
  if (phase.pass == Pass::backward) {
    // Half of what is read came down from the layer above, half was kept by the forward pass.
    demand.activation_gradients = {reads - reads / 2, writes};
    demand.activations = {0, reads / 2};
  } else if (is_step_end(phase.pass)) {
    demand.weight_gradients = {0, reads};
    demand.weights = {0, writes};
  } else {
    demand.activations = {reads, writes};
  }
  return demand;
}

TaskDemand demand_of_work(const model::OptimizerWork& work, const model::Phase&) {
  TaskDemand demand;
  demand.weights = {0, work.parameters};
  demand.weight_gradients = {0, work.parameters};
  demand.moments = {0, work.parameters};
  return demand;
}

template <class Other>
TaskDemand demand_of_work(const Other&, const model::Phase&) {
  return {};
}

std::int64_t peak_activations(const model::Program& program) {
  std::int64_t held = 0;
  std::int64_t peak = 0;
  for (const model::Task& task : program.tasks) {
    if (task.term != MemoryTerm::activations && task.term != MemoryTerm::logits)
      continue;
    held += task.allocates.count();
    peak = std::max(peak, held);
    held -= task.frees.count();
  }
  return floats_of(model::ByteCount(peak));
}

std::int64_t resident(const model::Program& program, MemoryTerm term) {
  std::int64_t bytes = 0;
  for (const model::ResidentMemory& memory : program.resident)
    if (memory.term == term)
      bytes += memory.bytes.count();
  return floats_of(model::ByteCount(bytes));
}

std::int64_t optimized_parameters(const model::Program& program) {
  std::int64_t parameters = 0;
  for (const model::Task& task : program.tasks)
    if (const auto* work = std::get_if<model::OptimizerWork>(&task.work))
      parameters += work->parameters;
  return parameters;
}

}  // namespace

AttentionSizes attention_sizes(const model::AttentionWork& work) {
  return {work.batch,    work.seq_q,    work.seq_kv,         work.heads,
          work.kv_heads, work.head_dim, work.value_head_dim, work.causal};
}

std::int64_t attention_input_count(const AttentionSizes& sizes) {
  return sizes.query_count() + sizes.key_count() + sizes.value_count();
}

TaskDemand demand_of(const model::Task& task) {
  return std::visit([&](const auto& work) { return demand_of_work(work, task.phase); }, task.work);
}

model::ByteCount MemoryPlan::total() const {
  return model::ByteCount(
      static_cast<std::int64_t>(sizeof(float)) *
      (activations + activation_gradients + weights + weight_gradients + 2 * moments + row_statistics + work));
}

MemoryPlan plan_memory(const model::Program& program) {
  const std::int64_t optimized = optimized_parameters(program);
  MemoryPlan plan;
  plan.activations = peak_activations(program);
  plan.weights = std::max(resident(program, MemoryTerm::weights), optimized);
  plan.weight_gradients = std::max(resident(program, MemoryTerm::gradients), optimized);
  plan.moments = optimized;
  for (const model::Task& task : program.tasks) {
    const TaskDemand demand = demand_of(task);
    plan.activations = std::max(plan.activations, demand.activations.ring_length());
    plan.activation_gradients = std::max(plan.activation_gradients, demand.activation_gradients.ring_length());
    plan.weights = std::max(plan.weights, demand.weights.ring_length());
    plan.weight_gradients = std::max(plan.weight_gradients, demand.weight_gradients.ring_length());
    plan.moments = std::max(plan.moments, demand.moments.ring_length());
    plan.row_statistics = std::max(plan.row_statistics, demand.row_statistics);
    plan.work = std::max(plan.work, demand.work);
  }
  return plan;
}

}  // namespace trainwright::executor
