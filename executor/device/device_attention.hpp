// Attention on a device as products with a softmax between them, over tiles of query rows. Fused: the scores of a tile
// lie in working memory small enough to stay in the second-level cache, causal tiles stop at the last key they see, and
// the backward pass computes the scores again (5 products). Unfused: one tile holds all scores, kept for the backward
// pass (4 products), nothing is skipped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "executor/cuda/kernel_arguments.hpp"
#include "executor/kernels/attention.hpp"

namespace trainwright::executor {

/// Where the work goes; each call queues behind the one before.
struct AttentionSteps {
  std::function<void(GemmCall)> gemm;
  std::function<void(const SoftmaxCall&)> softmax;
};

struct AttentionTensors {
  const std::byte* q = nullptr;
  const std::byte* k = nullptr;
  const std::byte* v = nullptr;
  std::byte* o = nullptr;              ///< forward: written
  std::byte* probabilities = nullptr;  ///< unfused: written by the forward pass, read by the backward pass
  const std::byte* d_o = nullptr;      ///< backward
  std::byte* dq = nullptr;
  std::byte* dk = nullptr;
  std::byte* dv = nullptr;
  std::byte* work = nullptr;
};

/// Scores that are held at once: a share of the second-level cache of data-center cards (A100 40 MB, H100 50 MB:
/// NVIDIA's architecture white papers).
inline constexpr std::int64_t kScoreTileBytes = 16LL << 20;

struct AttentionSettings {
  AttentionSizes sizes;
  ElementType type = ElementType::fp32;
  bool fused = true;
  float scale = 1.0F;
  float gradient_scale = 1.0F;  ///< all gradients are multiplied by it
  std::int64_t tile_bytes = kScoreTileBytes;
};

void attention_forward(const AttentionSettings& settings, const AttentionTensors& tensors, const AttentionSteps& steps);
void attention_backward(const AttentionSettings& settings, const AttentionTensors& tensors,
                        const AttentionSteps& steps);

/// Bytes of working memory.
[[nodiscard]] std::int64_t device_attention_work_bytes(const AttentionSizes& sizes, std::int64_t element_bytes,
                                                       bool fused, bool backward,
                                                       std::int64_t tile_bytes = kScoreTileBytes);

}  // namespace trainwright::executor
