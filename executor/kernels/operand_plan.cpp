// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/operand_plan.hpp"

#include <algorithm>
#include <variant>

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::MemoryTerm;
using model::Pass;

constexpr std::int64_t kFloat = sizeof(float);

// Whole floats: element-wise work goes by words.
std::int64_t whole_words(model::ByteCount bytes) {
  return model::divide_up(bytes, kFloat).count() * kFloat;
}

bool is_step_end(Pass pass) {
  return pass == Pass::optimizer || pass == Pass::gradient_sync;
}

TaskDemand demand_of_work(const model::GemmWork& work, const model::Phase& phase) {
  const std::int64_t left = work.m * work.k * work.batch * operand_bytes(work.precision);
  const std::int64_t right = work.k * work.n * work.batch * operand_bytes(work.precision);
  const std::int64_t result = work.m * work.n * work.batch * result_bytes(work.precision);
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
  const std::int64_t element = result_bytes(work.precision);
  const std::int64_t inputs = attention_input_count(sizes) * element;
  const std::int64_t output = sizes.output_count() * element;
  const std::int64_t scores = sizes.score_count() * element;
  TaskDemand demand;
  if (!work.backward) {
    demand.activations = {inputs, output + (work.fused ? 0 : scores)};
  } else {
    demand.activations = {0, inputs + (work.fused ? output : scores)};
    demand.activation_gradients = {output, inputs};
  }
  demand.row_statistics = work.fused ? sizes.row_count() * kFloat : 0;
  return demand;
}

TaskDemand demand_of_work(const model::MemoryWork& work, const model::Phase& phase) {
  const std::int64_t reads = whole_words(work.reads);
  const std::int64_t writes = whole_words(work.writes);
  TaskDemand demand;
  if (phase.pass == Pass::backward) {
    // Half of what is read came down from the layer above, half was kept by the forward pass.
    const std::int64_t kept = reads / kFloat / 2 * kFloat;
    demand.activation_gradients = {reads - kept, writes};
    demand.activations = {0, kept};
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
  demand.weights = {0, work.parameters * kFloat};
  demand.weight_gradients = {0, work.parameters * kFloat};
  demand.moments = {0, work.parameters * kFloat};
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
  return whole_words(model::ByteCount(peak));
}

std::int64_t resident(const model::Program& program, MemoryTerm term) {
  std::int64_t bytes = 0;
  for (const model::ResidentMemory& memory : program.resident)
    if (memory.term == term)
      bytes += memory.bytes.count();
  return whole_words(model::ByteCount(bytes));
}

// Bytes of one float for each parameter that the program updates.
std::int64_t optimized_bytes(const model::Program& program) {
  std::int64_t parameters = 0;
  for (const model::Task& task : program.tasks)
    if (const auto* work = std::get_if<model::OptimizerWork>(&task.work))
      parameters += work->parameters;
  return parameters * kFloat;
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

std::int64_t operand_bytes(model::Precision precision) {
  switch (precision) {
    case model::Precision::fp64:
      return 8;
    case model::Precision::fp32:
    case model::Precision::tf32:
      return 4;
    case model::Precision::fp16:
    case model::Precision::bf16:
      return 2;
    case model::Precision::fp8:
    case model::Precision::mxfp8:
    case model::Precision::nvfp4:
      return 1;
  }
  return 4;
}

std::int64_t result_bytes(model::Precision precision) {
  return std::max<std::int64_t>(operand_bytes(precision), 2);
}

model::ByteCount MemoryPlan::total() const {
  return model::ByteCount(activations + activation_gradients + weights + weight_gradients + 2 * moments +
                          row_statistics + work);
}

MemoryPlan plan_memory(const model::Program& program, std::int64_t align,
                       const std::function<std::int64_t(const model::Task&)>& work_of) {
  const std::int64_t optimized = optimized_bytes(program);
  MemoryPlan plan;
  plan.activations = peak_activations(program);
  plan.weights = std::max(resident(program, MemoryTerm::weights), optimized);
  plan.weight_gradients = std::max(resident(program, MemoryTerm::gradients), optimized);
  plan.moments = optimized;
  for (const model::Task& task : program.tasks) {
    const TaskDemand demand = demand_of(task);
    const auto enlarge = [&](std::int64_t& length, const RingDemand& ring) {
      length = std::max(length, ring.ring_length(align));
    };
    enlarge(plan.activations, demand.activations);
    enlarge(plan.activation_gradients, demand.activation_gradients);
    enlarge(plan.weights, demand.weights);
    enlarge(plan.weight_gradients, demand.weight_gradients);
    enlarge(plan.moments, demand.moments);
    plan.row_statistics = std::max(plan.row_statistics, demand.row_statistics);
    plan.work = std::max(plan.work, work_of(task));
  }
  return plan;
}

}  // namespace trainwright::executor
