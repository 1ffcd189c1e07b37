// Decoders whose attention and MLP read the same input: GPT-NeoX, GPT-J, Falcon, Phi 1 and 2.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/families.hpp"
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {

void read_gpt_neox(HfReader& config, Model& model) {
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"max_position_embeddings"}, kPositions);
  model.tied_embeddings = config.flag("tie_word_embeddings", false);
  LayerShape layer;
  layer.attention =
      plain_attention(config, "num_attention_heads", model.hidden, config.integer({"num_attention_heads"}, kHeads));
  layer.attention.qkv_bias = layer.attention.output_bias = config.flag("attention_bias", true);
  layer.mlp = MlpShape{config.integer({"intermediate_size"}, kFfn), false, true};
  layer.order = config.flag("use_parallel_residual", true) ? BlockOrder::parallel : BlockOrder::sequential;
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
}

void read_gptj(HfReader& config, Model& model) {
  model.hidden = config.integer({"n_embd", "hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"n_positions", "max_position_embeddings"}, kPositions);
  model.tied_embeddings = config.flag("tie_word_embeddings", false);
  model.head_bias = true;
  LayerShape layer;
  layer.attention =
      plain_attention(config, "n_head", model.hidden, config.integer({"n_head", "num_attention_heads"}, kHeads));
  layer.attention.qkv_bias = layer.attention.output_bias = false;
  layer.mlp = MlpShape{config.optional_integer({"n_inner"}, kFfn).value_or(4 * model.hidden), false, true};
  layer.norms = 1;
  layer.order = BlockOrder::parallel;
  append_layers(model, layer, layer_number(config, {"n_layer", "num_hidden_layers"}));
}

void read_falcon(HfReader& config, Model& model) {
  model.hidden = config.integer({"hidden_size", "n_embed"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.optional_integer({"max_position_embeddings"}, kPositions).value_or(0);
  model.position = config.flag("alibi", false) ? PositionKind::alibi : PositionKind::rotary;
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  const bool bias = config.flag("bias", false);
  const bool new_decoder = config.flag("new_decoder_architecture", false);
  const bool multi_query = config.flag("multi_query", true);
  const bool parallel = config.flag("parallel_attn", true) || new_decoder;
  LayerShape layer;
  AttentionShape& attention = layer.attention;
  attention = plain_attention(config, "num_attention_heads", model.hidden,
                              config.integer({"num_attention_heads", "n_head"}, kHeads));
  attention.qkv_bias = attention.output_bias = bias;
  // num_kv_heads is written by every model and means nothing to a multi-query one of the old decoder.
  const std::optional<std::int64_t> stated = config.optional_integer({"num_kv_heads", "n_head_kv"}, kHeads);
  attention.kv_heads = new_decoder || !multi_query ? stated.value_or(attention.heads) : 1;
  check_groups(config, "num_kv_heads", attention.heads, attention.kv_heads);
  layer.mlp = MlpShape{config.optional_integer({"ffn_hidden_size"}, kFfn).value_or(4 * model.hidden), false, bias};
  layer.order = parallel ? BlockOrder::parallel : BlockOrder::sequential;
  const std::int64_t parallel_norms =
      config.optional_integer({"num_ln_in_parallel_attn"}, {1, 2}).value_or(new_decoder ? 2 : 1);
  layer.norms = !parallel || (new_decoder && parallel_norms == 2) ? 2 : 1;
  append_layers(model, layer, layer_number(config, {"num_hidden_layers", "n_layer"}));
}

void read_phi(HfReader& config, Model& model) {
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"max_position_embeddings"}, kPositions);
  model.tied_embeddings = config.flag("tie_word_embeddings", false);
  model.head_bias = true;
  LayerShape layer;
  AttentionShape& attention = layer.attention;
  attention =
      plain_attention(config, "num_attention_heads", model.hidden, config.integer({"num_attention_heads"}, kHeads));
  attention.kv_heads = config.optional_integer({"num_key_value_heads"}, kHeads).value_or(attention.heads);
  check_groups(config, "num_key_value_heads", attention.heads, attention.kv_heads);
  attention.query_key_norm = config.flag("qk_layernorm", false);
  layer.mlp = MlpShape{config.integer({"intermediate_size"}, kFfn), false, true};
  layer.norms = 1;
  layer.order = BlockOrder::parallel;
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
}

}  // namespace trainwright::model::hf
