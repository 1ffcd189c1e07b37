// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/heads.hpp"

namespace trainwright::model::hf {

void append_layers(Model& model, const LayerShape& layer, int count) {
  if (!model.layers.empty() && model.layers.back().layer == layer)
    model.layers.back().count += count;
  else
    model.layers.push_back({layer, count});
}

std::int64_t class_number(HfReader& config) {
  const std::optional<std::int64_t> listed = config.size_of("id2label");
  const std::optional<std::int64_t> stated = config.optional_integer({"num_labels", "_num_labels"}, kClasses);
  if (stated && listed && *stated != *listed)
    config.add_warning("num_labels", "is " + std::to_string(*stated) + ", but id2label has " + std::to_string(*listed) +
                                         " entries; id2label counts");
  if (listed)
    return *listed;
  if (stated)
    return *stated;
  config.add_warning("id2label", "is not given, and neither is num_labels; 2 classes are counted",
                     "that is the library's default; write num_labels");
  return 2;
}

bool has_role(const Model& model, std::string_view role) {
  return model.architecture.ends_with(role);
}

void read_decoder_head(HfReader& config, Model& model) {
  model.has_head = true;
  if (model.architecture.empty()) {
    model.notes.emplace_back("The file names no class: taken as a language model with its head.");
    return;
  }
  if (has_role(model, "ForCausalLM") || has_role(model, "LMHeadModel") || has_role(model, "ForConditionalGeneration"))
    return;
  if (has_role(model, "ForSequenceClassification") || has_role(model, "ForTokenClassification")) {
    const std::int64_t classes = class_number(config);
    model.has_head = model.head_bias = false;
    model.extra_parameters += classes * model.hidden + (has_role(model, "ForTokenClassification") ? classes : 0);
    model.notes.push_back("extra_parameters: classification head with " + std::to_string(classes) + " classes.");
    return;
  }
  if (has_role(model, "Model")) {
    model.has_head = model.head_bias = false;
    model.notes.push_back(model.architecture + " has no head: no projection to the vocabulary and no loss over it.");
    return;
  }
  config.add_warning("architectures", "\"" + model.architecture + "\" has a head that is not known here",
                     "counted as a language model with a projection to the vocabulary");
}

}  // namespace trainwright::model::hf
