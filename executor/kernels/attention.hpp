// The attention core, softmax(scale Q K^T) V, forward and backward, on one thread. Two ways:
// fused: in tiles with running softmax statistics (Dao, FlashAttention-2, arXiv 2307.08691, algorithms 1 and 2): scores
// stay in a small tile, tiles above the diagonal are skipped, the backward pass computes the scores again (5 products).
// unfused: the whole score matrix is written to memory and kept for the backward pass (4 products), nothing is skipped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::executor {

/// Sizes of one call. Tensors are token-major: Q and dQ [batch, seq_q, heads, head_dim], K [batch, seq_kv, kv_heads,
/// head_dim], V [batch, seq_kv, kv_heads, value_head_dim], O like Q with value_head_dim. `kv_heads` divides `heads`.
/// Causal: query i sees keys up to i + seq_kv - seq_q.
struct AttentionSizes {
  std::int64_t batch = 1;
  std::int64_t seq_q = 1;
  std::int64_t seq_kv = 1;
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_dim = 1;
  std::int64_t value_head_dim = 1;
  bool causal = true;

  [[nodiscard]] std::int64_t query_count() const { return batch * seq_q * heads * head_dim; }
  [[nodiscard]] std::int64_t key_count() const { return batch * seq_kv * kv_heads * head_dim; }
  [[nodiscard]] std::int64_t value_count() const { return batch * seq_kv * kv_heads * value_head_dim; }
  [[nodiscard]] std::int64_t output_count() const { return batch * seq_q * heads * value_head_dim; }
  [[nodiscard]] std::int64_t row_count() const { return batch * heads * seq_q; }
  [[nodiscard]] std::int64_t score_count() const { return row_count() * seq_kv; }
};

/// Floats of working memory that the fused functions need.
[[nodiscard]] std::int64_t attention_work_count(const AttentionSizes& sizes);

/// The backward functions multiply all gradients by `gradient_scale` (1 for the plain derivative) on the way.
/// `row_log_sum` [batch, heads, seq_q]: log of the sum of exponentials of each row, for the backward pass. Rows that
/// see no key give zeros (and row_log_sum 0).
void attention_forward_fused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                             float* o, float* row_log_sum, float* work);

void attention_backward_fused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                              const float* o, const float* row_log_sum, const float* d_o, float gradient_scale,
                              float* dq, float* dk, float* dv, float* work);

/// `probabilities` [batch, heads, seq_q, seq_kv] is written and needed by the backward pass.
void attention_forward_unfused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                               float* o, float* probabilities);

/// `d_probabilities`: working memory of one head, seq_q x seq_kv.
void attention_backward_unfused(const AttentionSizes& sizes, float scale, const float* q, const float* k,
                                const float* v, const float* probabilities, const float* d_o, float gradient_scale,
                                float* dq, float* dk, float* dv, float* d_probabilities);

}  // namespace trainwright::executor
