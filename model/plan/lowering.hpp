// From operators to tasks: what one rank does for one micro-batch in the forward and backward pass of a few operators.
// The graph builder strings these chains together; the analytic estimator adds up their times. So both count the same.
// Equations of sizes: docs/models/lowering.md, docs/models/parallelism.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/graph/execution_graph.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/state_recipe.hpp"
#include "model/workload/operator_graph.hpp"

namespace trainwright::model {

/// Tasks in issue order with dependencies among them. Phases carry pass, part and layers; micro-batch and chunk are set
/// by whoever places the chain.
struct TaskChain {
  std::vector<Task> tasks;
  std::vector<Dependency> dependencies;  ///< local positions; only those that stream order does not imply
  std::vector<TaskId> entries;           ///< tasks that need what comes before the chain
  std::optional<TaskId> output;          ///< task whose end makes the chain's result available
};

struct LoweredPart {
  TaskChain forward;
  TaskChain backward;           ///< recomputation included
  std::int64_t parameters = 0;  ///< on one rank, experts included
  std::int64_t expert_parameters =
      0;  ///< of these: gradients are reduced over GroupAxis::expert_data, not data_context
};

/// Element type of activations and messages between ranks.
[[nodiscard]] Precision message_precision(const Job& job);
/// Activations handed from one stage to the next for one micro-batch.
[[nodiscard]] ByteCount boundary_bytes(const Plan& plan);

/// Lowers the operators of one layer (or of what stands before or after the layers), given in forward order.
/// `recompute` of this layer, where it is one: pipeline_shape's layer_recompute.
[[nodiscard]] LoweredPart lower(const OperatorGraph& graph, const std::vector<OperatorId>& operators, const Plan& plan,
                                Recompute recompute);

}  // namespace trainwright::model
