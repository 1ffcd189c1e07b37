// Forward and backward pass of each kind of operator, by concept. Internal to model/plan/lowering*.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/plan/lowering_context.hpp"

namespace trainwright::model {

/// Any operator: dispatches to the functions below. `consumers`: operators of the part that read its result.
[[nodiscard]] OperatorTasks lower_forward(const LoweringContext& context, OperatorId id, Pass pass);
[[nodiscard]] OperatorTasks lower_backward(const LoweringContext& context, OperatorId id, std::size_t consumers);

// lowering_linear.cpp: matrix products with their tensor-parallel collectives.
void linear_forward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void linear_backward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);

// lowering_attention.cpp: attention core, context parallelism.
void attention_forward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void attention_backward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
/// The forward core alone, for selective recomputation.
[[nodiscard]] AttentionWork attention_core(const LoweringContext& context, const AttentionShape& a);

// lowering_elementwise.cpp: norm, rotary embedding, activation, residual.
void elementwise_forward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void elementwise_backward(const LoweringContext& context, const Operator& op, std::size_t consumers, TaskWriter& tasks);

// lowering_vocabulary.cpp: embedding and loss.
void embedding_forward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void embedding_backward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void loss_forward(const LoweringContext& context, TaskWriter& tasks);
void loss_backward(const LoweringContext& context, TaskWriter& tasks);

// lowering_moe.cpp: router, dispatch, combine.
void router_forward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
void router_backward(const LoweringContext& context, const Operator& op, TaskWriter& tasks);
/// Tokens to experts (dispatch forward, combine backward) and back (combine forward, dispatch backward).
void send_to_experts(const LoweringContext& context, const Operator& op, bool is_first, TaskWriter& tasks);
void return_from_experts(const LoweringContext& context, const Operator& op, TaskWriter& tasks);

}  // namespace trainwright::model
