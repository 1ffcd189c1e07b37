// What a stage keeps of one micro-batch from the forward to the backward pass, item by item; and published formulas of
// the same sum to compare with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/plan/plan.hpp"

namespace trainwright::model {

/// One kind of tensor, summed over the layers of the stage.
struct ActivationItem {
  std::string operator_name;  ///< "attention.core"; without the number of the layer
  std::string tensor;         ///< "queries, keys, values"
  ByteCount bytes;
  MemoryTerm term = MemoryTerm::activations;
};

/// Of one rank and one micro-batch, largest first. Under full recomputation the layers' inputs only.
[[nodiscard]] std::vector<ActivationItem> activation_items(const Plan& plan, int stage);

/// The largest single tensor that the forward pass of one micro-batch makes on a rank, by shape.
[[nodiscard]] ByteCount largest_tensor(const Plan& plan);

/// s b h (34 + 5 a s / h) bytes a layer: V. Korthikanti et al., arXiv 2205.05198, equation 2. GPT layers with dropout,
/// unfused attention, 16-bit activations, no parallelism.
[[nodiscard]] ByteCount korthikanti_layer_bytes(std::int64_t seq, std::int64_t batch, std::int64_t hidden,
                                                std::int64_t heads);
/// 12 b s h values of 2 bytes a layer, a rule of thumb that counts few tensors (docs/models/memory.md).
[[nodiscard]] ByteCount twelve_bsh_layer_bytes(std::int64_t seq, std::int64_t batch, std::int64_t hidden);

}  // namespace trainwright::model
