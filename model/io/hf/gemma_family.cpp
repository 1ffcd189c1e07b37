// Gemma 1 to 3: a head size of its own, tied embeddings; from Gemma 2 on four norms a layer and windows that alternate.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/llama_family.hpp"

namespace trainwright::model::hf {
namespace {

// Layers from `layer_types`, or every `pattern`-th one with full attention.
void append_alternating(HfReader& config, Model& model, LayerShape layer, std::int64_t window, std::int64_t pattern) {
  const int layers = layer_number(config, {"num_hidden_layers"});
  const std::vector<bool> listed = sliding_layers(config, layers);
  for (int i = 0; i < layers; ++i) {
    const bool slides = listed.empty() ? (i + 1) % pattern != 0 : listed[static_cast<std::size_t>(i)];
    layer.attention.window = slides ? window : 0;
    append_layers(model, layer);
  }
}

LayerShape gemma_layer(HfReader& config, const AttentionShape& attention) {
  LayerShape layer = rms_layer(attention, read_gated_mlp(config));
  layer.attention.qkv_bias = layer.attention.output_bias = config.flag("attention_bias", false);
  return layer;
}

// 256 whatever the width; hidden / heads would be wrong for every Gemma.
std::int64_t gemma_head_dim(HfReader& config) {
  return config.integer_or({"head_dim"}, 256, kHeadDim);
}

}  // namespace

void read_gemma(HfReader& config, Model& model) {
  read_llama_frame(config, model, true);
  AttentionShape attention = read_grouped_heads(config, true);
  attention.head_dim = gemma_head_dim(config);
  repeat_layer(config, model, gemma_layer(config, attention));
}

void read_gemma2(HfReader& config, Model& model) {
  read_llama_frame(config, model, true);
  AttentionShape attention = read_grouped_heads(config, true);
  attention.head_dim = gemma_head_dim(config);
  LayerShape layer = gemma_layer(config, attention);
  layer.norms = 4;
  append_alternating(config, model, layer, config.integer_or({"sliding_window"}, 4096, kPositions), 2);
}

// The text_config of the multimodal sizes leaves out whatever equals the configuration class's own default.
void read_gemma3(HfReader& config, Model& model) {
  model.vocab = config.integer_or({"vocab_size"}, 262208, kVocab);
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.max_positions = config.integer_or({"max_position_embeddings"}, 131072, kPositions);
  model.norm = NormKind::rms_norm;
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  AttentionShape attention;
  attention.heads = config.integer_or({"num_attention_heads"}, 8, kHeads);
  attention.kv_heads = config.integer_or({"num_key_value_heads"}, 4, kHeads);
  attention.head_dim = gemma_head_dim(config);
  attention.query_key_norm = true;
  check_groups(config, "num_key_value_heads", attention.heads, attention.kv_heads);
  LayerShape layer = gemma_layer(config, attention);
  layer.norms = 4;
  const std::int64_t pattern =
      config.optional_integer({"sliding_window_pattern", "_sliding_window_pattern"}, kLayers).value_or(6);
  append_alternating(config, model, layer, config.integer_or({"sliding_window"}, 4096, kPositions), pattern);
}

}  // namespace trainwright::model::hf
