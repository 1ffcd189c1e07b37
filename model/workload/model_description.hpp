// The network to train, as architecture numbers. Layers are run-length coded, since most networks repeat a few shapes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hardware/accelerator.hpp"

namespace trainwright::model {

enum class NormKind { layer_norm, rms_norm };
enum class PositionKind { none, learned, rotary, alibi, relative };
enum class BlockOrder { sequential, parallel };  ///< parallel: attention and MLP read the same input (Falcon, NeoX)

inline constexpr std::array<std::pair<std::string_view, NormKind>, 2> kNormKindWords{
    {{"layer-norm", NormKind::layer_norm}, {"rms-norm", NormKind::rms_norm}}};
inline constexpr std::array<std::pair<std::string_view, PositionKind>, 5> kPositionKindWords{
    {{"none", PositionKind::none},
     {"learned", PositionKind::learned},
     {"rotary", PositionKind::rotary},
     {"alibi", PositionKind::alibi},
     {"relative", PositionKind::relative}}};
inline constexpr std::array<std::pair<std::string_view, BlockOrder>, 2> kBlockOrderWords{
    {{"sequential", BlockOrder::sequential}, {"parallel", BlockOrder::parallel}}};

/// Multi-head latent attention (DeepSeek V2, arXiv 2405.04434, section 2.1).
struct LatentAttention {
  std::int64_t query_rank = 0;  ///< 0: queries are not compressed
  std::int64_t key_value_rank = 0;
  std::int64_t rope_head_dim = 0;
  std::int64_t nope_head_dim = 0;
  std::int64_t value_head_dim = 0;
  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

struct AttentionShape {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_dim = 1;
  bool causal = true;
  bool qkv_bias = false;
  bool output_bias = false;
  bool query_key_norm = false;  ///< a norm of head_dim weights on queries and on keys
  std::int64_t window = 0;      ///< sliding window in tokens; 0: none
  std::optional<LatentAttention> latent;
  bool sinks = false;  ///< one trained logit per head that joins the softmax (gpt-oss)
  friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};

struct MlpShape {
  std::int64_t ffn = 1;  ///< width of one matrix
  bool gated = false;    ///< three matrices instead of two
  bool bias = false;
  friend bool operator==(const MlpShape&, const MlpShape&) = default;
};

struct MoeShape {
  std::int64_t experts = 1;
  std::int64_t experts_per_token = 1;
  std::int64_t expert_ffn = 1;
  std::int64_t shared_ffn = 0;  ///< total width of the shared experts; 0: none
  bool gated = true;
  bool router_bias = false;  ///< counted as parameters only if trained or stored
  bool shared_gate = false;  ///< Qwen MoE: one sigmoid gate per token on the shared expert
  bool expert_bias = false;  ///< on every matrix of every routed expert (gpt-oss)
  friend bool operator==(const MoeShape&, const MoeShape&) = default;
};

struct LayerShape {
  AttentionShape attention;
  std::optional<MlpShape> mlp;  ///< exactly one of mlp and moe
  std::optional<MoeShape> moe;
  NormKind norm = NormKind::layer_norm;
  int norms = 2;  ///< hidden-wide norms in the layer (Gemma 2: 4)
  BlockOrder order = BlockOrder::sequential;
  bool norm_bias = true;  ///< of layer norms; an RMS norm never has one
  /// Decoder of an encoder-decoder: keys and values come from the encoder's output, and are computed once per layer
  /// from its sequence. Never causal.
  std::optional<AttentionShape> cross_attention;
  friend bool operator==(const LayerShape&, const LayerShape&) = default;
};

/// `count` equal layers in a row.
struct LayerRun {
  LayerShape layer;
  int count = 1;
  friend bool operator==(const LayerRun&, const LayerRun&) = default;
};

struct Model {
  std::string id;
  std::string name;
  std::string architecture;  ///< as its source calls it, "LlamaForCausalLM"
  std::int64_t hidden = 1;
  std::int64_t vocab = 1;          ///< 0: the input is not tokens (ViT: patches)
  std::int64_t max_positions = 0;  ///< longest sequence, 0: not stated; rows of the table where positions are learned
  PositionKind position = PositionKind::rotary;
  bool tied_embeddings = false;  ///< head and token embedding are one matrix
  bool has_head = true;          ///< a projection to the vocabulary and a loss over it
  bool final_norm = true;
  bool embedding_norm = false;
  std::int64_t extra_parameters = 0;     ///< what the fields above do not say (pooler, token types), see `notes`
  NormKind norm = NormKind::layer_norm;  ///< of final and embedding norm
  std::vector<LayerRun> layers;
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;
  bool norm_bias = true;              ///< as in LayerShape, of final and embedding norm
  bool head_bias = false;             ///< one value per vocabulary entry, also where the head is tied
  std::int64_t position_rows = 0;     ///< rows of the learned table; 0: max_positions (OPT keeps two more)
  std::int64_t relative_buckets = 0;  ///< rows of T5's relative position table, one column per head, one per stack
  std::int64_t embedding_width = 0;   ///< of token embedding and head; 0: hidden. Else two projections (OPT-350M)
  int encoder_layers = 0;             ///< so many of the first layers are an encoder; the others attend to its output
  friend bool operator==(const Model&, const Model&) = default;
};

[[nodiscard]] int layer_count(const Model& model);
[[nodiscard]] const LayerShape& layer_at(const Model& model, int layer);

}  // namespace trainwright::model
