// Encoders: BERT and RoBERTa, ViT. What stands beside the layers (token types, pooler, prediction heads, patches)
// goes to extra_parameters, each item with a note.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/families.hpp"
#include "model/io/hf/heads.hpp"
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {
namespace {

void add_extra(Model& model, std::int64_t parameters, const std::string& what) {
  model.extra_parameters += parameters;
  model.notes.push_back("extra_parameters: " + std::to_string(parameters) + " of the " + what + ".");
}

std::int64_t linear(std::int64_t inputs, std::int64_t outputs) {
  return inputs * outputs + outputs;
}

bool is_one_of(const Model& model, std::initializer_list<std::string_view> roles) {
  for (const std::string_view role : roles)
    if (has_role(model, role))
      return true;
  return false;
}

// The library builds the pooler for the bare model and for most heads that look at the whole sequence.
void read_bert_head(HfReader& config, Model& model, bool classifier_uses_pooler) {
  const std::int64_t hidden = model.hidden;
  const std::int64_t dense = linear(hidden, hidden);
  const bool language_model =
      model.architecture.empty() || is_one_of(model, {"ForMaskedLM", "ForPreTraining", "LMHeadModel", "ForCausalLM"});
  const bool bare = has_role(model, "Model");
  const bool next_sentence = is_one_of(model, {"ForPreTraining", "ForNextSentencePrediction"});
  const bool one_score = has_role(model, "ForMultipleChoice");
  const bool sequence_classes = has_role(model, "ForSequenceClassification");
  const bool token_classes = has_role(model, "ForTokenClassification");
  const bool start_and_end = has_role(model, "ForQuestionAnswering");

  model.has_head = model.head_bias = language_model;
  if (model.architecture.empty())
    model.notes.emplace_back("The file names no class: taken as a masked language model.");
  if (language_model)
    add_extra(model, dense + 2 * hidden, "transform before the vocabulary head");
  if (bare || next_sentence || one_score || (sequence_classes && classifier_uses_pooler))
    add_extra(model, dense, "pooler");
  if (next_sentence)
    add_extra(model, linear(hidden, 2), "next-sentence head");
  if (sequence_classes && !classifier_uses_pooler)
    add_extra(model, dense, "dense layer of the classification head");
  if (sequence_classes || token_classes)
    add_extra(model, linear(hidden, class_number(config)), "classification head");
  if (one_score || start_and_end)
    add_extra(model, linear(hidden, one_score ? 1 : 2), "scoring head");
  if (!language_model && !bare && !next_sentence && !one_score && !sequence_classes && !token_classes && !start_and_end)
    config.add_warning("architectures", "\"" + model.architecture + "\" has a head that is not known here",
                       "counted without it");
}

void read_bert_like(HfReader& config, Model& model, std::int64_t unused_positions, bool classifier_uses_pooler) {
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = config.integer({"vocab_size"}, kVocab);
  model.position = PositionKind::learned;
  model.position_rows = config.integer({"max_position_embeddings"}, {1 + unused_positions, kPositions.max});
  model.max_positions = model.position_rows - unused_positions;
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  model.embedding_norm = true;
  model.final_norm = false;
  config.refuse_flag("add_cross_attention", "it adds a cross attention to every layer");
  const std::string positions = config.word("position_embedding_type").value_or("absolute");
  if (positions != "absolute")
    config.add_error("position_embedding_type", "is \"" + positions + "\", which is not supported",
                     "supported: absolute");
  LayerShape layer;
  layer.attention =
      plain_attention(config, "num_attention_heads", model.hidden, config.integer({"num_attention_heads"}, kHeads));
  layer.attention.causal = config.flag("is_decoder", false);
  layer.mlp = MlpShape{config.integer({"intermediate_size"}, kFfn), false, true};
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
  add_extra(model, config.integer_or({"type_vocab_size"}, 2, {0, 4096}) * model.hidden, "token types");
  read_bert_head(config, model, classifier_uses_pooler);
}

}  // namespace

void read_bert(HfReader& config, Model& model) {
  read_bert_like(config, model, 0, true);
}

// Positions are numbered from pad_token_id + 1, which leaves two rows of the table unused.
void read_roberta(HfReader& config, Model& model) {
  read_bert_like(config, model, 2, false);
}

void read_vit(HfReader& config, Model& model) {
  constexpr Bounds kPixels{1, 1LL << 16};
  model.hidden = config.integer({"hidden_size"}, kHidden);
  model.vocab = 0;
  model.has_head = false;
  model.position = PositionKind::learned;
  const std::vector<std::int64_t> image = config.integer_or_list("image_size", kPixels);
  const std::vector<std::int64_t> patch = config.integer_or_list("patch_size", kPixels);
  const std::int64_t channels = config.integer_or({"num_channels"}, 3, {1, 4096});
  for (const auto& [key, sides] : {std::pair("image_size", image), std::pair("patch_size", patch)})
    if (sides.empty() || sides.size() > 2) {
      config.add_error(key, "has " + std::to_string(sides.size()) + " entries", "one side, or height and width");
      return;
    }
  for (const auto& [pixels, step] : {std::pair(image.front(), patch.front()), std::pair(image.back(), patch.back())})
    if (pixels < step)
      config.add_error("patch_size", "is " + std::to_string(step),
                       "it must not exceed the image's " + std::to_string(pixels) + " pixels");
  const std::int64_t patches = (image.front() / patch.front()) * (image.back() / patch.back());
  model.max_positions = patches + 1;
  add_extra(model, model.hidden, "class token");
  add_extra(model, linear(channels * patch.front() * patch.back(), model.hidden), "patch projection");
  LayerShape layer;
  layer.attention =
      plain_attention(config, "num_attention_heads", model.hidden, config.integer({"num_attention_heads"}, kHeads));
  layer.attention.causal = false;
  layer.attention.qkv_bias = config.flag("qkv_bias", true);
  layer.mlp = MlpShape{config.integer({"intermediate_size"}, kFfn), false, true};
  append_layers(model, layer, layer_number(config, {"num_hidden_layers"}));
  const std::int64_t pooled = config.optional_integer({"pooler_output_size"}, kHidden).value_or(model.hidden);
  model.notes.push_back("A sequence is an image: " + std::to_string(patches) + " patches and the class token.");
  if (has_role(model, "ForImageClassification"))
    add_extra(model, linear(model.hidden, class_number(config)), "classification head");
  else if (has_role(model, "Model"))
    add_extra(model, linear(model.hidden, pooled), "pooler");
  else
    config.add_warning("architectures", "\"" + model.architecture + "\" has a head that is not known here",
                       "counted without it");
}

}  // namespace trainwright::model::hf
