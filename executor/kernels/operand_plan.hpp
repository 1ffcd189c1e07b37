// How much memory of which kind each compute task takes, and what a whole program needs. Used for sizing and for
// running, so that the two cannot differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "executor/kernels/attention.hpp"
#include "executor/kernels/operand_ring.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Floats that a task takes from each kind of memory.
struct TaskDemand {
  RingDemand activations;
  RingDemand activation_gradients;
  RingDemand weights;
  RingDemand weight_gradients;
  RingDemand moments;               ///< of each of the two
  std::int64_t row_statistics = 0;  ///< one float for each row of a softmax
  std::int64_t work = 0;            ///< used inside the task only
};

[[nodiscard]] TaskDemand demand_of(const model::Task& task);

/// Floats of each kind for a program: what its tensors occupy together, and at least what its largest task takes.
struct MemoryPlan {
  std::int64_t activations = 0;
  std::int64_t activation_gradients = 0;
  std::int64_t weights = 0;
  std::int64_t weight_gradients = 0;
  std::int64_t moments = 0;
  std::int64_t row_statistics = 0;
  std::int64_t work = 0;

  [[nodiscard]] model::ByteCount total() const;
};

[[nodiscard]] MemoryPlan plan_memory(const model::Program& program);

[[nodiscard]] AttentionSizes attention_sizes(const model::AttentionWork& work);

/// The tensors that go into attention: queries, keys, values.
[[nodiscard]] std::int64_t attention_input_count(const AttentionSizes& sizes);

}  // namespace trainwright::executor
