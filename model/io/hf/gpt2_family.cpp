// Sequential decoders before Llama: layer norms, learned or ALiBi positions, a head tied to the embedding.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/families.hpp"
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {

void read_gpt2(HfReader& config, Model& model) {
  model.hidden = config.integer({"n_embd", "hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"n_positions", "max_position_embeddings"}, kPositions);
  model.position = PositionKind::learned;
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  config.refuse_flag("add_cross_attention", "it adds a cross attention to every layer");
  LayerShape layer;
  layer.attention =
      plain_attention(config, "n_head", model.hidden, config.integer({"n_head", "num_attention_heads"}, kHeads));
  layer.mlp = MlpShape{config.optional_integer({"n_inner"}, kFfn).value_or(4 * model.hidden), false, true};
  append_layers(model, layer, layer_number(config, {"n_layer", "num_hidden_layers"}));
}

void read_opt(HfReader& config, Model& model) {
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"max_position_embeddings"}, kPositions);
  model.position = PositionKind::learned;
  model.position_rows = model.max_positions + 2;  // the first two rows are kept for padding
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  const std::int64_t width = config.optional_integer({"word_embed_proj_dim"}, kHidden).value_or(model.hidden);
  model.embedding_width = width == model.hidden ? 0 : width;
  const bool norm_first = config.flag("do_layer_norm_before", true);
  model.final_norm = norm_first && !config.flag("_remove_final_layer_norm", false);
  if (!config.flag("layer_norm_elementwise_affine", true))
    config.add_error("layer_norm_elementwise_affine", "is false, which is not supported",
                     "norms without weights cannot be described yet");
  LayerShape layer;
  layer.attention =
      plain_attention(config, "num_attention_heads", model.hidden, config.integer({"num_attention_heads"}, kHeads));
  const bool bias = config.flag("enable_bias", true);
  layer.attention.qkv_bias = layer.attention.output_bias = bias;
  layer.mlp = MlpShape{config.integer({"ffn_dim"}, kFfn), false, bias};
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
}

void read_bloom(HfReader& config, Model& model) {
  model.hidden = config.integer({"hidden_size", "n_embed"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.optional_integer({"seq_length"}, kPositions).value_or(0);
  model.position = PositionKind::alibi;
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  model.embedding_norm = true;
  LayerShape layer;
  layer.attention =
      plain_attention(config, "n_head", model.hidden, config.integer({"n_head", "num_attention_heads"}, kHeads));
  layer.mlp = MlpShape{4 * model.hidden, false, true};
  append_layers(model, layer, layer_number(config, {"n_layer", "num_hidden_layers"}));
}

namespace {

// attn_config of MPT: positions and the number of key-value heads.
void read_mpt_attention(HfReader& outer, Model& model, AttentionShape& attention) {
  const bool learned = outer.flag("learned_pos_emb", true);
  model.position = PositionKind::alibi;  // what a file without attn_config means
  std::optional<HfReader> config = outer.object("attn_config");
  if (!config)
    return;
  const bool rotary = config->flag("rope", false);
  if (!config->flag("alibi", true))
    model.position = rotary ? PositionKind::rotary : learned ? PositionKind::learned : PositionKind::none;
  const std::string kind = config->word("attn_type").value_or("multihead_attention");
  if (kind == "multiquery_attention")
    attention.kv_heads = 1;
  else if (kind == "grouped_query_attention")
    attention.kv_heads = config->integer({"kv_n_heads"}, kHeads);
  else if (kind != "multihead_attention")
    config->add_error("attn_type", "is \"" + kind + "\", which is not supported",
                      "supported: multihead_attention, multiquery_attention, grouped_query_attention");
  check_groups(*config, "kv_n_heads", attention.heads, attention.kv_heads);
  const std::int64_t window = config->optional_integer({"sliding_window_size"}, {-1, kPositions.max}).value_or(-1);
  attention.window = window > 0 ? window : 0;
  config->refuse_flag("qk_ln", "it adds norms over all heads together");
  config->refuse_flag("qk_gn", "it adds norms over all heads together");
  config->ignore({"attn_impl", "attn_pdrop", "attn_uses_sequence_id", "kv_n_heads"});
  config->finish();
}

}  // namespace

void read_mpt(HfReader& config, Model& model) {
  model.hidden = config.integer({"d_model", "hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.integer({"max_seq_len"}, kPositions);
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  const bool bias = !config.flag("no_bias", true);
  const std::string norm = config.word("norm_type").value_or("low_precision_layernorm");
  if (norm == "rmsnorm" || norm == "low_precision_rmsnorm")
    model.norm = NormKind::rms_norm;
  else if (norm != "layernorm" && norm != "low_precision_layernorm")
    config.add_error("norm_type", "is \"" + norm + "\", which is not supported",
                     "supported: layernorm, low_precision_layernorm, rmsnorm, low_precision_rmsnorm");
  model.norm_bias = bias;
  LayerShape layer;
  layer.norm = model.norm;
  layer.norm_bias = bias;
  layer.attention =
      plain_attention(config, "n_heads", model.hidden, config.integer({"n_heads", "num_attention_heads"}, kHeads));
  layer.attention.qkv_bias = layer.attention.output_bias = bias;
  read_mpt_attention(config, model, layer.attention);
  const std::int64_t ratio = config.integer_or({"expansion_ratio"}, 4, {1, 64});
  layer.mlp = MlpShape{ratio * model.hidden, false, bias};
  if (std::optional<HfReader> ffn = config.object("ffn_config")) {
    if (const std::string kind = ffn->word("ffn_type").value_or("mptmlp"); kind != "mptmlp")
      ffn->add_error("ffn_type", "is \"" + kind + "\", which is not supported", "supported: mptmlp");
    ffn->ignore({"fc_type", "ffn_act_fn"});
    ffn->finish();
  }
  append_layers(model, layer, layer_number(config, {"n_layers", "num_hidden_layers"}));
}

}  // namespace trainwright::model::hf
