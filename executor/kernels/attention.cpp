// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/kernels/elementwise.hpp"
#include "executor/kernels/gemm.hpp"

namespace trainwright::executor {
namespace {

// A score tile of 64 x 512 floats is 128 KiB: inside the second-level cache of processors made since about 2015. More
// rows would waste more work on the diagonal of causal attention.
constexpr std::int64_t kQueryTile = 64;
constexpr std::int64_t kKeyTile = 512;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// One head of one sequence: pointers to its first elements, and the row strides of the token-major tensors.
struct Head {
  std::int64_t query_offset;
  std::int64_t key_offset;
  std::int64_t value_offset;
  std::int64_t output_offset;
  std::int64_t row_offset;  ///< into [batch, heads, seq_q]
};

struct Strides {
  std::int64_t query;
  std::int64_t key;
  std::int64_t value;
  std::int64_t output;
};

Strides strides(const AttentionSizes& sizes) {
  return {sizes.heads * sizes.head_dim, sizes.kv_heads * sizes.head_dim, sizes.kv_heads * sizes.value_head_dim,
          sizes.heads * sizes.value_head_dim};
}

Head head_at(const AttentionSizes& sizes, std::int64_t sequence, std::int64_t head) {
  const std::int64_t kv_head = head / (sizes.heads / sizes.kv_heads);
  return {(sequence * sizes.seq_q * sizes.heads + head) * sizes.head_dim,
          (sequence * sizes.seq_kv * sizes.kv_heads + kv_head) * sizes.head_dim,
          (sequence * sizes.seq_kv * sizes.kv_heads + kv_head) * sizes.value_head_dim,
          (sequence * sizes.seq_q * sizes.heads + head) * sizes.value_head_dim,
          (sequence * sizes.heads + head) * sizes.seq_q};
}

/// Keys that query `row` sees.
std::int64_t visible_keys(const AttentionSizes& sizes, std::int64_t row) {
  if (!sizes.causal)
    return sizes.seq_kv;
  return std::clamp<std::int64_t>(row + 1 + sizes.seq_kv - sizes.seq_q, 0, sizes.seq_kv);
}

/// Rows [query, query + rows) against keys [key, key + keys).
struct Tile {
  std::int64_t query;
  std::int64_t rows;
  std::int64_t key;
  std::int64_t keys;
};

template <class Function>
void for_each_head(const AttentionSizes& sizes, Function function) {
  for (std::int64_t sequence = 0; sequence < sizes.batch; ++sequence)
    for (std::int64_t head = 0; head < sizes.heads; ++head)
      function(head_at(sizes, sequence, head));
}

/// Calls `tile_function(Tile)` for the tiles of one row block that hold a visible key, from the first key on.
template <class Function>
void for_each_key_tile(const AttentionSizes& sizes, std::int64_t query, std::int64_t rows, Function tile_function) {
  const std::int64_t end = visible_keys(sizes, query + rows - 1);
  for (std::int64_t key = 0; key < end; key += kKeyTile)
    tile_function(Tile{query, rows, key, std::min(kKeyTile, end - key)});
}

}  // namespace

std::int64_t attention_work_count(const AttentionSizes& sizes) {
  return 2 * kQueryTile * kKeyTile + std::max(2 * kQueryTile, sizes.seq_q);
}

void attention_forward_fused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                             float* o, float* row_log_sum, float* work) {
  const Strides stride = strides(sizes);
  float* scores = work;
  float* row_max = work + 2 * kQueryTile * kKeyTile;
  float* row_sum = row_max + kQueryTile;
  for_each_head(sizes, [&](const Head& head) {
    for (std::int64_t query = 0; query < sizes.seq_q; query += kQueryTile) {
      const std::int64_t rows = std::min(kQueryTile, sizes.seq_q - query);
      std::fill_n(row_max, rows, kMinusInfinity);
      std::fill_n(row_sum, rows, 0.0F);
      const float* q_tile = q + head.query_offset + query * stride.query;
      float* o_tile = o + head.output_offset + query * stride.output;
      for (std::int64_t row = 0; row < rows; ++row)
        std::fill_n(o_tile + row * stride.output, sizes.value_head_dim, 0.0F);
      for_each_key_tile(sizes, query, rows, [&](const Tile& tile) {
        gemm(rows, tile.keys, sizes.head_dim, scale, {q_tile, stride.query},
             {k + head.key_offset + tile.key * stride.key, stride.key, Orientation::transposed}, 0.0F, scores,
             kKeyTile);
        for (std::int64_t row = 0; row < rows; ++row) {
          float* s = scores + row * kKeyTile;
          const std::int64_t visible =
              std::clamp<std::int64_t>(visible_keys(sizes, query + row) - tile.key, 0, tile.keys);
          std::fill(s + visible, s + tile.keys, 0.0F);
          if (visible == 0)
            continue;
          const float new_max = std::max(row_max[row], largest(s, visible));
          const float correction = exponential(row_max[row] - new_max);
          row_sum[row] = row_sum[row] * correction + exponentials(s, new_max, visible, s);
          row_max[row] = new_max;
          if (tile.key > 0)
            scale_by(o_tile + row * stride.output, correction, sizes.value_head_dim);
        }
        gemm(rows, sizes.value_head_dim, tile.keys, 1.0F, {scores, kKeyTile},
             {v + head.value_offset + tile.key * stride.value, stride.value}, tile.key > 0 ? 1.0F : 0.0F, o_tile,
             stride.output);
      });
      for (std::int64_t row = 0; row < rows; ++row) {
        const bool sees_keys = row_sum[row] > 0.0F;
        row_log_sum[head.row_offset + query + row] = sees_keys ? row_max[row] + std::log(row_sum[row]) : 0.0F;
        if (sees_keys)
          scale_by(o_tile + row * stride.output, 1.0F / row_sum[row], sizes.value_head_dim);
      }
    }
  });
}

void attention_backward_fused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                              const float* o, const float* row_log_sum, const float* d_o, float gradient_scale,
                              float* dq, float* dk, float* dv, float* work) {
  const Strides stride = strides(sizes);
  float* p = work;
  float* dp = work + kQueryTile * kKeyTile;
  float* row_dot = work + 2 * kQueryTile * kKeyTile;
  std::fill_n(dq, sizes.query_count(), 0.0F);
  std::fill_n(dk, sizes.key_count(), 0.0F);
  std::fill_n(dv, sizes.value_count(), 0.0F);
  for_each_head(sizes, [&](const Head& head) {
    for (std::int64_t row = 0; row < sizes.seq_q; ++row) {
      const std::int64_t at = head.output_offset + row * stride.output;
      row_dot[row] = gradient_scale * dot(o + at, d_o + at, sizes.value_head_dim);
    }
    for (std::int64_t query = 0; query < sizes.seq_q; query += kQueryTile) {
      const std::int64_t rows = std::min(kQueryTile, sizes.seq_q - query);
      const MatrixView q_tile{q + head.query_offset + query * stride.query, stride.query};
      const MatrixView d_o_tile{d_o + head.output_offset + query * stride.output, stride.output};
      for_each_key_tile(sizes, query, rows, [&](const Tile& tile) {
        const float* k_tile = k + head.key_offset + tile.key * stride.key;
        const float* v_tile = v + head.value_offset + tile.key * stride.value;
        gemm(rows, tile.keys, sizes.head_dim, scale, q_tile, {k_tile, stride.key, Orientation::transposed}, 0.0F, p,
             kKeyTile);
        gemm(rows, tile.keys, sizes.value_head_dim, gradient_scale, d_o_tile,
             {v_tile, stride.value, Orientation::transposed}, 0.0F, dp, kKeyTile);
        for (std::int64_t row = 0; row < rows; ++row) {
          float* p_row = p + row * kKeyTile;
          const std::int64_t visible =
              std::clamp<std::int64_t>(visible_keys(sizes, query + row) - tile.key, 0, tile.keys);
          std::fill(p_row + visible, p_row + tile.keys, 0.0F);
          exponentials(p_row, row_log_sum[head.row_offset + query + row], visible, p_row);
        }
        gemm(tile.keys, sizes.value_head_dim, rows, gradient_scale, {p, kKeyTile, Orientation::transposed}, d_o_tile,
             1.0F, dv + head.value_offset + tile.key * stride.value, stride.value);
        for (std::int64_t row = 0; row < rows; ++row)
          softmax_backward(p + row * kKeyTile, dp + row * kKeyTile, row_dot[query + row], tile.keys,
                           dp + row * kKeyTile);
        gemm(rows, sizes.head_dim, tile.keys, scale, {dp, kKeyTile}, {k_tile, stride.key}, 1.0F,
             dq + head.query_offset + query * stride.query, stride.query);
        gemm(tile.keys, sizes.head_dim, rows, scale, {dp, kKeyTile, Orientation::transposed}, q_tile, 1.0F,
             dk + head.key_offset + tile.key * stride.key, stride.key);
      });
    }
  });
}

void attention_forward_unfused(const AttentionSizes& sizes, float scale, const float* q, const float* k, const float* v,
                               float* o, float* probabilities) {
  const Strides stride = strides(sizes);
  for_each_head(sizes, [&](const Head& head) {
    float* p = probabilities + head.row_offset * sizes.seq_kv;
    gemm(sizes.seq_q, sizes.seq_kv, sizes.head_dim, scale, {q + head.query_offset, stride.query},
         {k + head.key_offset, stride.key, Orientation::transposed}, 0.0F, p, sizes.seq_kv);
    for (std::int64_t row = 0; row < sizes.seq_q; ++row) {
      float* p_row = p + row * sizes.seq_kv;
      const std::int64_t visible = visible_keys(sizes, row);
      std::fill(p_row + visible, p_row + sizes.seq_kv, 0.0F);
      if (visible == 0)
        continue;
      const float sum = exponentials(p_row, largest(p_row, visible), visible, p_row);
      scale_by(p_row, 1.0F / sum, visible);
    }
    gemm(sizes.seq_q, sizes.value_head_dim, sizes.seq_kv, 1.0F, {p, sizes.seq_kv},
         {v + head.value_offset, stride.value}, 0.0F, o + head.output_offset, stride.output);
  });
}

void attention_backward_unfused(const AttentionSizes& sizes, float scale, const float* q, const float* k,
                                const float* v, const float* probabilities, const float* d_o, float gradient_scale,
                                float* dq, float* dk, float* dv, float* d_probabilities) {
  const Strides stride = strides(sizes);
  std::fill_n(dk, sizes.key_count(), 0.0F);
  std::fill_n(dv, sizes.value_count(), 0.0F);
  for_each_head(sizes, [&](const Head& head) {
    const float* p = probabilities + head.row_offset * sizes.seq_kv;
    const MatrixView d_o_head{d_o + head.output_offset, stride.output};
    gemm(sizes.seq_kv, sizes.value_head_dim, sizes.seq_q, gradient_scale, {p, sizes.seq_kv, Orientation::transposed},
         d_o_head, 1.0F, dv + head.value_offset, stride.value);
    gemm(sizes.seq_q, sizes.seq_kv, sizes.value_head_dim, gradient_scale, d_o_head,
         {v + head.value_offset, stride.value, Orientation::transposed}, 0.0F, d_probabilities, sizes.seq_kv);
    for (std::int64_t row = 0; row < sizes.seq_q; ++row) {
      const float* p_row = p + row * sizes.seq_kv;
      float* d_row = d_probabilities + row * sizes.seq_kv;
      softmax_backward(p_row, d_row, dot(p_row, d_row, sizes.seq_kv), sizes.seq_kv, d_row);
    }
    gemm(sizes.seq_q, sizes.head_dim, sizes.seq_kv, scale, {d_probabilities, sizes.seq_kv},
         {k + head.key_offset, stride.key}, 0.0F, dq + head.query_offset, stride.query);
    gemm(sizes.seq_kv, sizes.head_dim, sizes.seq_q, scale, {d_probabilities, sizes.seq_kv, Orientation::transposed},
         {q + head.query_offset, stride.query}, 1.0F, dk + head.key_offset, stride.key);
  });
}

}  // namespace trainwright::executor
