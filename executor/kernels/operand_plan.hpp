// How much memory of which kind each compute task takes, and what a whole program needs. Used for sizing and for
// running, so that the two cannot differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "executor/kernels/attention.hpp"
#include "executor/kernels/ring_cursor.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Bytes that a task takes from each kind of memory. Elements have the precision of the task's work; the optimizer, row
/// statistics and everything without a precision have four bytes.
struct TaskDemand {
  RingDemand activations;
  RingDemand activation_gradients;
  RingDemand weights;
  RingDemand weight_gradients;
  RingDemand moments;               ///< of each of the two
  std::int64_t row_statistics = 0;  ///< one float for each row of a softmax
};

[[nodiscard]] TaskDemand demand_of(const model::Task& task);

/// Bytes of each kind for a program: what its tensors occupy together, and at least what its largest task takes.
struct MemoryPlan {
  std::int64_t activations = 0;
  std::int64_t activation_gradients = 0;
  std::int64_t weights = 0;
  std::int64_t weight_gradients = 0;
  std::int64_t moments = 0;
  std::int64_t row_statistics = 0;
  std::int64_t work = 0;  ///< used inside a task only

  [[nodiscard]] model::ByteCount total() const;
};

/// Ranges begin at multiples of `align` bytes; `work_of` says what an engine needs inside a task.
[[nodiscard]] MemoryPlan plan_memory(const model::Program& program, std::int64_t align,
                                     const std::function<std::int64_t(const model::Task&)>& work_of);

/// Bytes of one element of an operand of the work, and of a product's result: fp8 products give bf16.
[[nodiscard]] std::int64_t operand_bytes(model::Precision precision);
[[nodiscard]] std::int64_t result_bytes(model::Precision precision);

[[nodiscard]] AttentionSizes attention_sizes(const model::AttentionWork& work);

/// The tensors that go into attention: queries, keys, values.
[[nodiscard]] std::int64_t attention_input_count(const AttentionSizes& sizes);

}  // namespace trainwright::executor
