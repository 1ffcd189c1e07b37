// Floating-point operations of the model itself, by the PaLM definition (arXiv 2204.02311, appendix B): matrix products
// and attention, forward once and backward twice, attention not halved for causality, nothing recomputed. Of experts
// those that a token visits count, of a sliding window the keys in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/units/units.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

/// Forward pass of one sequence of `seq_len` tokens, of which `loss_share` reach the head.
[[nodiscard]] Flops forward_flops(const Model& model, std::int64_t seq_len, double loss_share = 1.0);
/// Forward and backward pass of one sequence: three times the forward pass.
[[nodiscard]] Flops training_flops(const Model& model, std::int64_t seq_len, double loss_share = 1.0);

}  // namespace trainwright::model
