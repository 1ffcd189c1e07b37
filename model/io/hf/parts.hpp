// Pieces that several families share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/io/hf/hf_reader.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::hf {

/// Adds `count` layers, joined with the last run if they are equal.
void append_layers(Model& model, const LayerShape& layer, int count = 1);

/// Heads of hidden / heads values each, with biases on every matrix; `key` names the field for messages.
AttentionShape plain_attention(HfReader& config, std::string_view key, std::int64_t hidden, std::int64_t heads);

/// Number of classes of a classification head: num_labels, or the entries of id2label. Both absent: the 2 of the
/// library, with a warning.
std::int64_t class_number(HfReader& config);

}  // namespace trainwright::model::hf
