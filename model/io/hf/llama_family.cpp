// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/llama_family.hpp"

namespace trainwright::model::hf {
namespace {

// use_sliding_window with max_window_layers: layers from that index on are windowed; newer files list them.
void append_windowed(HfReader& config, Model& model, LayerShape layer) {
  const int layers = layer_number(config, {"num_hidden_layers"});
  const bool windowed = config.flag("use_sliding_window", false);
  const std::int64_t window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  const std::int64_t first = config.optional_integer({"max_window_layers"}, {0, kLayers.max}).value_or(layers);
  const std::vector<bool> sliding = sliding_layers(config, layers);
  if (windowed && window == 0)
    config.add_error("sliding_window", "is missing", "use_sliding_window is true");
  for (int i = 0; i < layers; ++i) {
    const bool slides = sliding.empty() ? i >= first : sliding[static_cast<std::size_t>(i)];
    layer.attention.window = windowed && slides ? window : 0;
    append_layers(model, layer);
  }
}

}  // namespace

void repeat_layer(HfReader& config, Model& model, const LayerShape& layer) {
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
}

void read_llama_frame(HfReader& config, Model& model, bool tied_by_default) {
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.optional_integer({"max_position_embeddings"}, kPositions).value_or(0);
  model.position = PositionKind::rotary;
  model.norm = NormKind::rms_norm;
  model.tied_embeddings = config.flag("tie_word_embeddings", tied_by_default);
}

AttentionShape read_grouped_heads(HfReader& config, bool grouped_by_default) {
  AttentionShape attention;
  attention.heads = config.integer({"num_attention_heads"}, kHeads);
  if (grouped_by_default && !config.is_present("num_key_value_heads"))
    attention.kv_heads = config.integer({"num_key_value_heads"}, kHeads);
  else
    attention.kv_heads = config.optional_integer({"num_key_value_heads"}, kHeads).value_or(attention.heads);
  check_groups(config, "num_key_value_heads", attention.heads, attention.kv_heads);
  return attention;
}

AttentionShape read_llama_attention(HfReader& config, const Model& model, bool grouped_by_default) {
  AttentionShape attention = read_grouped_heads(config, grouped_by_default);
  attention.head_dim = head_dim(config, model.hidden, attention.heads);
  return attention;
}

MlpShape read_gated_mlp(HfReader& config) {
  return {config.integer({"intermediate_size"}, kFfn), true, false};
}

LayerShape rms_layer(const AttentionShape& attention, const MlpShape& mlp) {
  LayerShape layer;
  layer.attention = attention;
  layer.mlp = mlp;
  layer.norm = NormKind::rms_norm;
  return layer;
}

LayerShape rms_layer(const AttentionShape& attention, const MoeShape& moe) {
  LayerShape layer;
  layer.attention = attention;
  layer.moe = moe;
  layer.norm = NormKind::rms_norm;
  return layer;
}

void read_llama(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, false);
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", false);
  MlpShape mlp = read_gated_mlp(config);
  mlp.bias = config.flag("mlp_bias", false);
  repeat_layer(config, model, rms_layer(attention, mlp));
}

void read_mistral(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, true);
  if (config.is_present("sliding_window"))
    attention.window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  else
    attention.window = config.integer_or({"sliding_window"}, 4096, kPositions);
  repeat_layer(config, model, rms_layer(attention, read_gated_mlp(config)));
}

void read_phi3(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, false);
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", false);
  attention.window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  repeat_layer(config, model, rms_layer(attention, read_gated_mlp(config)));
}

void read_qwen2(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, true);
  attention.qkv_bias = true;
  append_windowed(config, model, rms_layer(attention, read_gated_mlp(config)));
}

void read_qwen3(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_grouped_heads(config, true);
  attention.head_dim = config.integer_or({"head_dim"}, 128, kHeadDim);
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", false);
  attention.query_key_norm = true;
  append_windowed(config, model, rms_layer(attention, read_gated_mlp(config)));
}

}  // namespace trainwright::model::hf
