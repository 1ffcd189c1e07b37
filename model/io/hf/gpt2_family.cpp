// Sequential decoders before Llama: layer norms, biases, learned or ALiBi positions, a head tied to the embedding.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/families.hpp"

namespace trainwright::model::hf {
namespace {

// Equal heads with biases on every matrix.
AttentionShape plain_attention(HfReader& config, std::string_view key, std::int64_t hidden, std::int64_t heads) {
  AttentionShape attention;
  attention.heads = attention.kv_heads = heads;
  if (hidden % heads != 0)
    config.add_error(key, "is " + std::to_string(heads), "it must divide the hidden size " + std::to_string(hidden));
  else
    attention.head_dim = hidden / heads;
  attention.qkv_bias = attention.output_bias = true;
  return attention;
}

}  // namespace

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

}  // namespace trainwright::model::hf
