// What an operator keeps on one rank: its parameters, and the tensors from its forward to its backward pass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/plan/lowering_context.hpp"

namespace trainwright::model {

/// A tensor kept from the forward to the backward pass of one micro-batch.
struct SavedTensor {
  std::string name;  ///< "queries, keys, values"
  ByteCount bytes;
  MemoryTerm term = MemoryTerm::activations;
};

/// `shares_input`: another operator already keeps the same input tensor. Sources: docs/models/memory.md.
[[nodiscard]] std::vector<SavedTensor> saved_tensors(const LoweringContext& context, const Operator& op,
                                                     bool shares_input);
/// The tensors of the attention core that selective recomputation computes again instead of keeping.
[[nodiscard]] ByteCount score_bytes(const LoweringContext& context, const Operator& op);

/// On one rank.
[[nodiscard]] std::int64_t rank_parameters(const LoweringContext& context, const Operator& op);
/// Weights of matrices among them: what gradients are added up for after a product.
[[nodiscard]] bool has_matrix(const Operator& op);

/// Input of a layer on one rank.
/// Of the low-rank pair beside a matrix of this rank, arXiv 2106.09685: rank x (in + out); 0 without adapters, and for
/// the head, which stays as it is.
[[nodiscard]] std::int64_t adapter_parameters(const LoweringContext& context, const Operator& op);
/// Result of an operator, and of what it reads in one piece, while it is at work; likewise their gradients. The loss
/// counts its own (logit_copies).
[[nodiscard]] ByteCount output_bytes(const LoweringContext& context, const Operator& op);
[[nodiscard]] ByteCount input_bytes(const LoweringContext& context, const Operator& op);
/// What offload of activations sends to the host for each layer and micro-batch: the layer's input.
[[nodiscard]] ByteCount offloaded_layer_bytes(const Plan& plan);
[[nodiscard]] ByteCount layer_input_bytes(const LoweringContext& context);

/// Operators of `part` that read an input which an earlier one of them keeps already.
[[nodiscard]] std::vector<bool> shared_inputs(const LoweringContext& context, const std::vector<OperatorId>& part);

}  // namespace trainwright::model
