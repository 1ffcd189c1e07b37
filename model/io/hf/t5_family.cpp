// T5 and mT5: an encoder, and a decoder whose layers also attend to the encoder's output.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/families.hpp"
#include "model/io/hf/heads.hpp"
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {
namespace {

MlpShape read_t5_mlp(HfReader& config) {
  const std::string kind = config.word("feed_forward_proj").value_or("relu");
  const bool gated = kind.starts_with("gated-");
  if (!gated && kind.find('-') != std::string::npos)
    config.add_error("feed_forward_proj", "is \"" + kind + "\", which is not supported",
                     "an activation, or \"gated-\" and an activation");
  config.ignore({"dense_act_fn", "is_gated_act"});  // written beside feed_forward_proj, from which they follow
  return {config.integer({"d_ff"}, kFfn), gated, false};
}

AttentionShape read_t5_attention(HfReader& config) {
  AttentionShape attention;
  attention.heads = attention.kv_heads = config.integer({"num_heads", "num_attention_heads"}, kHeads);
  attention.head_dim = config.integer({"d_kv"}, kHeadDim);
  attention.causal = false;
  return attention;
}

void read_t5_like(HfReader& config, Model& model, bool tied_by_default) {
  model.hidden = config.integer({"d_model", "hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.max_positions = config.optional_integer({"n_positions"}, kPositions).value_or(0);
  model.position = PositionKind::relative;
  model.relative_buckets = config.integer({"relative_attention_num_buckets"}, {1, 1LL << 16});
  model.norm = NormKind::rms_norm;
  model.tied_embeddings = config.flag("tie_word_embeddings", tied_by_default);
  config.ignore({"relative_attention_max_distance"});

  LayerShape layer;
  layer.attention = read_t5_attention(config);
  layer.mlp = read_t5_mlp(config);
  layer.norm = NormKind::rms_norm;
  const int encoder_layers = layer_number(config, {"num_layers", "num_hidden_layers"});
  const auto decoder_layers =
      static_cast<int>(config.optional_integer({"num_decoder_layers"}, kLayers).value_or(encoder_layers));
  append_layers(model, layer, encoder_layers);
  if (has_role(model, "EncoderModel")) {
    model.has_head = false;
    return;
  }
  model.encoder_layers = encoder_layers;
  layer.cross_attention = layer.attention;
  layer.attention.causal = true;
  layer.norms = 3;
  append_layers(model, layer, decoder_layers);
  read_decoder_head(config, model);
}

}  // namespace

void read_t5(HfReader& config, Model& model) {
  read_t5_like(config, model, true);
}
void read_mt5(HfReader& config, Model& model) {
  read_t5_like(config, model, false);
}

}  // namespace trainwright::model::hf
