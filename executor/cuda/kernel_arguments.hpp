// What the compute calls of the device take: plain values, read by the host and by kernels alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainwright::executor {

/// Formats that device memory holds. tf32 is fp32 in memory, with products rounded to 10 bits of mantissa.
enum class ElementType : std::uint8_t { fp32, tf32, fp16, bf16, fp8 };

[[nodiscard]] constexpr std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::fp32:
    case ElementType::tf32:
      return 4;
    case ElementType::fp16:
    case ElementType::bf16:
      return 2;
    case ElementType::fp8:
      return 1;
  }
  return 4;
}

/// Format of a product's result: fp8 products give bf16.
[[nodiscard]] constexpr ElementType result_type(ElementType type) {
  return type == ElementType::fp8 ? ElementType::bf16 : type;
}

/// result[m,n] = alpha left[m,k] right[k,n] + beta result[m,n], `batch` independent ones. Row-major. A transposed
/// operand lies in memory with rows and columns exchanged: left as [k,m], right as [n,k]. Matrices of a batch lie
/// `..._step` elements apart. Sums are in fp32. fp8 wants left plain and right transposed (cuBLASLt's one layout on all
/// cards that have fp8), and gives bf16.
struct GemmCall {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  ElementType type = ElementType::fp32;
  bool left_transposed = false;
  bool right_transposed = false;
  std::int64_t left_row = 0;  ///< elements between rows, as stored
  std::int64_t right_row = 0;
  std::int64_t result_row = 0;
  std::int64_t left_step = 0;
  std::int64_t right_step = 0;
  std::int64_t result_step = 0;
  float alpha = 1.0F;
  float beta = 0.0F;
  const void* left = nullptr;
  const void* right = nullptr;
  void* result = nullptr;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

/// Fills `count` elements with the fixed pattern of new operands: in [-1, 1], no zeros; only positive where asked.
struct FillCall {
  void* data = nullptr;
  std::int64_t count = 0;
  ElementType type = ElementType::fp32;
  bool positive = false;
};

/// Reads and writes whole 4-byte words, interleaved as an element-wise operator would. `sink` is one word that a read
/// without a write might end in, so that it is not left out.
struct TrafficCall {
  const void* in = nullptr;
  std::int64_t reads = 0;  ///< words
  const void* kept = nullptr;
  std::int64_t kept_reads = 0;  ///< words of a second input
  void* out = nullptr;
  std::int64_t writes = 0;  ///< words
  void* sink = nullptr;
};

/// Softmax over rows of `width` scores in place, as attention uses it between its products. The rows of a head are the
/// queries [first_query, first_query + queries); causal: query i sees the keys up to i + seq_kv - seq_q, the others get
/// 0. backward: `data` holds the gradients of `probabilities` and becomes those of the scores.
struct SoftmaxCall {
  void* data = nullptr;
  const void* probabilities = nullptr;  ///< backward only
  std::int64_t heads = 1;
  std::int64_t queries = 1;
  std::int64_t width = 0;
  std::int64_t first_query = 0;
  std::int64_t seq_q = 1;
  std::int64_t seq_kv = 1;
  bool causal = true;
  bool backward = false;
  ElementType type = ElementType::fp32;
};

enum class UpdateRule : std::uint8_t { sgd, momentum, adam };

/// One pass over `count` parameters in fp32: 12, 20 or 28 bytes of traffic for each.
struct OptimizerCall {
  UpdateRule rule = UpdateRule::adam;
  std::int64_t count = 0;
  const float* gradient = nullptr;
  float* weight = nullptr;
  float* first_moment = nullptr;
  float* second_moment = nullptr;
  float rate = 0.0F;
  float first_decay = 0.9F;
  float second_decay = 0.999F;
  float epsilon = 1e-8F;
  float first_correction = 1.0F;  ///< 1 / (1 - decay^step)
  float second_correction = 1.0F;
};

}  // namespace trainwright::executor
