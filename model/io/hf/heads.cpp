// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/heads.hpp"

#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {

std::string_view role_of(std::string_view class_name) {
  for (std::size_t at = class_name.find("For"); at != std::string_view::npos; at = class_name.find("For", at + 1))
    if (at > 0 && at + 3 < class_name.size() && class_name[at + 3] >= 'A' && class_name[at + 3] <= 'Z')
      return class_name.substr(at);
  for (const std::string_view role : {"LMHeadModel", "DoubleHeadsModel", "EncoderModel", "Model"})
    if (class_name.ends_with(role))
      return class_name.substr(class_name.size() - role.size());
  return {};
}

bool has_role(const Model& model, std::string_view role) {
  return role_of(model.architecture) == role;
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
