// What stands on top of the layers, from the role in the class name ("...ForCausalLM").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/io/hf/hf_reader.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::hf {

/// The head of a decoder. Language models have a projection to the vocabulary; the bare "...Model" has none; a
/// classification head goes to extra_parameters; no class name is taken as a language model. Notes say which.
/// `model.architecture` must be set.
void read_decoder_head(HfReader& config, Model& model);

/// What a class adds to its architecture: "ForMaskedLM" of "BertForMaskedLM", "LMHeadModel", "Model"; "" if it is
/// neither.
[[nodiscard]] std::string_view role_of(std::string_view class_name);

[[nodiscard]] bool has_role(const Model& model, std::string_view role);

}  // namespace trainwright::model::hf
