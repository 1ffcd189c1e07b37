// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_attention.hpp"

#include <algorithm>

namespace trainwright::executor {
namespace {

// Rows and keys of a tile are multiples of this where there are so many: what products of 16-bit formats like.
constexpr std::int64_t kGranule = 64;

std::int64_t tile_rows(const AttentionSizes& sizes, std::int64_t element, bool fused, std::int64_t tile_bytes) {
  if (!fused)
    return sizes.seq_q;
  const std::int64_t fitting = tile_bytes / (sizes.heads * sizes.seq_kv * element);
  return std::min(sizes.seq_q, std::max(kGranule, fitting / kGranule * kGranule));
}

struct Tile {
  std::int64_t sequence = 0;
  std::int64_t query = 0;  ///< first
  std::int64_t rows = 0;
  std::int64_t keys = 0;  ///< from the first on
  bool is_first = true;   ///< of its sequence
};

// The last tile of a sequence first: it reaches all keys, so what belongs to them gets its first value from it.

template <class Function>
void for_each_tile(const AttentionSettings& settings, Function function) {
  const AttentionSizes& sizes = settings.sizes;
  const std::int64_t rows =
      tile_rows(sizes, static_cast<std::int64_t>(element_bytes(settings.type)), settings.fused, settings.tile_bytes);
  const std::int64_t last = (sizes.seq_q - 1) / rows * rows;
  for (std::int64_t sequence = 0; sequence < sizes.batch; ++sequence)
    for (std::int64_t query = last; query >= 0; query -= rows) {
      Tile tile{sequence, query, std::min(rows, sizes.seq_q - query), sizes.seq_kv, query == last};
      if (settings.fused && sizes.causal) {
        const std::int64_t seen = query + tile.rows + sizes.seq_kv - sizes.seq_q;
        tile.keys = std::clamp<std::int64_t>((seen + kGranule - 1) / kGranule * kGranule, 1, sizes.seq_kv);
      }
      function(tile);
    }
}

// The products of one tile. Heads that share keys are taken one after another, all groups at once.
class TileProducts {
 public:
  TileProducts(const AttentionSettings& settings, const Tile& tile, const AttentionSteps& steps)
      : sizes_(settings.sizes),
        type_(settings.type),
        element_(static_cast<std::int64_t>(element_bytes(settings.type))),
        shared_by_(settings.sizes.heads / settings.sizes.kv_heads),
        tile_(tile),
        steps_(steps) {}

  // A matrix of each head: first element, between rows, between heads of one group, between groups; in elements.
  struct Operand {
    const std::byte* data = nullptr;
    std::int64_t row = 0;
    std::int64_t head = 0;
    std::int64_t group = 0;
  };

  [[nodiscard]] Operand queries(const std::byte* q, std::int64_t width) const {
    const std::int64_t row = sizes_.heads * width;
    return {q + ((tile_.sequence * sizes_.seq_q + tile_.query) * row) * element_, row, width, shared_by_ * width};
  }
  [[nodiscard]] Operand keys(const std::byte* k, std::int64_t width) const {
    const std::int64_t row = sizes_.kv_heads * width;
    return {k + tile_.sequence * sizes_.seq_kv * row * element_, row, 0, width};
  }
  [[nodiscard]] Operand scores(const std::byte* s) const {
    const std::int64_t head = tile_.rows * tile_.keys;
    return {s, tile_.keys, head, shared_by_ * head};
  }

  /// result[m,n] = alpha left right (+ result), for all heads. Where the result belongs to the keys, the heads of a
  /// group add up in it.
  void product(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const Operand& left, bool left_transposed,
               const Operand& right, bool right_transposed, const Operand& result, bool adds) const {
    for (std::int64_t shared = 0; shared < shared_by_; ++shared) {
      GemmCall call;
      call.m = m;
      call.n = n;
      call.k = k;
      call.batch = sizes_.kv_heads;
      call.type = type_;
      call.left_transposed = left_transposed;
      call.right_transposed = right_transposed;
      call.left_row = left.row;
      call.right_row = right.row;
      call.result_row = result.row;
      call.left_step = left.group;
      call.right_step = right.group;
      call.result_step = result.group;
      call.alpha = alpha;
      call.beta = adds || (result.head == 0 && shared > 0) ? 1.0F : 0.0F;
      call.left = left.data + shared * left.head * element_;
      call.right = right.data + shared * right.head * element_;
      // Operands are described alike; only results are written.
      call.result = const_cast<std::byte*>(result.data) + shared * result.head * element_;  // NOLINT
      steps_.gemm(call);
    }
  }

  void softmax(std::byte* data, const std::byte* probabilities) const {
    steps_.softmax({data, probabilities, sizes_.heads, tile_.rows, tile_.keys, tile_.query, sizes_.seq_q, sizes_.seq_kv,
                    sizes_.causal, probabilities != nullptr, type_});
  }

 private:
  const AttentionSizes& sizes_;
  ElementType type_;
  std::int64_t element_;
  std::int64_t shared_by_;
  Tile tile_;
  const AttentionSteps& steps_;
};

std::int64_t sequence_scores(const AttentionSettings& settings) {
  return settings.sizes.heads * settings.sizes.seq_q * settings.sizes.seq_kv *
         static_cast<std::int64_t>(element_bytes(settings.type));
}

}  // namespace

std::int64_t device_attention_work_bytes(const AttentionSizes& sizes, std::int64_t element_bytes, bool fused,
                                         bool backward, std::int64_t tile_bytes) {
  const std::int64_t tile =
      sizes.heads * tile_rows(sizes, element_bytes, fused, tile_bytes) * sizes.seq_kv * element_bytes;
  if (fused)
    return backward ? 2 * tile : tile;
  return backward ? tile : 0;
}

void attention_forward(const AttentionSettings& settings, const AttentionTensors& tensors,
                       const AttentionSteps& steps) {
  const AttentionSizes& sizes = settings.sizes;
  for_each_tile(settings, [&](const Tile& tile) {
    const TileProducts with(settings, tile, steps);
    std::byte* const scores =
        settings.fused ? tensors.work : tensors.probabilities + tile.sequence * sequence_scores(settings);
    with.product(tile.rows, tile.keys, sizes.head_dim, settings.scale, with.queries(tensors.q, sizes.head_dim), false,
                 with.keys(tensors.k, sizes.head_dim), true, with.scores(scores), false);
    with.softmax(scores, nullptr);
    with.product(tile.rows, sizes.value_head_dim, tile.keys, 1.0F, with.scores(scores), false,
                 with.keys(tensors.v, sizes.value_head_dim), false, with.queries(tensors.o, sizes.value_head_dim),
                 false);
  });
}

void attention_backward(const AttentionSettings& settings, const AttentionTensors& tensors,
                        const AttentionSteps& steps) {
  const AttentionSizes& sizes = settings.sizes;
  const std::int64_t half = device_attention_work_bytes(sizes, static_cast<std::int64_t>(element_bytes(settings.type)),
                                                        settings.fused, false, settings.tile_bytes);
  const float input_scale = settings.scale * settings.gradient_scale;
  for_each_tile(settings, [&](const Tile& tile) {
    const TileProducts with(settings, tile, steps);
    const auto q = with.queries(tensors.q, sizes.head_dim);
    const auto k = with.keys(tensors.k, sizes.head_dim);
    const auto d_o = with.queries(tensors.d_o, sizes.value_head_dim);
    std::byte* probabilities = tensors.probabilities + tile.sequence * sequence_scores(settings);
    std::byte* d_scores = tensors.work;
    if (settings.fused) {
      probabilities = tensors.work;
      d_scores = tensors.work + half;
      with.product(tile.rows, tile.keys, sizes.head_dim, settings.scale, q, false, k, true, with.scores(probabilities),
                   false);
      with.softmax(probabilities, nullptr);
    }
    const bool adds = !tile.is_first;
    with.product(tile.keys, sizes.value_head_dim, tile.rows, settings.gradient_scale, with.scores(probabilities), true,
                 d_o, false, with.keys(tensors.dv, sizes.value_head_dim), adds);
    with.product(tile.rows, tile.keys, sizes.value_head_dim, 1.0F, d_o, false,
                 with.keys(tensors.v, sizes.value_head_dim), true, with.scores(d_scores), false);
    with.softmax(d_scores, probabilities);
    with.product(tile.rows, sizes.head_dim, tile.keys, input_scale, with.scores(d_scores), false, k, false,
                 with.queries(tensors.dq, sizes.head_dim), false);
    with.product(tile.keys, sizes.head_dim, tile.rows, input_scale, with.scores(d_scores), true, q, false,
                 with.keys(tensors.dk, sizes.head_dim), adds);
  });
}

}  // namespace trainwright::executor
