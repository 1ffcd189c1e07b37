// What Llama and its relatives have in common; used by the dense ones and by the mixtures of experts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/io/hf/families.hpp"

namespace trainwright::model::hf {

/// Width, vocabulary, positions and tying, under Llama's names: RMS norms, rotary positions.
void read_llama_frame(HfReader& config, Model& model, bool tied_by_default);

/// Heads, grouped keys and values, head size, under Llama's names. num_key_value_heads is needed unless
/// `grouped_by_default` is false, when its absence means as many as heads (files from before grouped queries).
AttentionShape read_llama_attention(HfReader& config, const Model& model, bool grouped_by_default);

/// The three matrices of intermediate_size.
MlpShape read_gated_mlp(HfReader& config);

/// An RMS-norm layer of these parts.
LayerShape rms_layer(const AttentionShape& attention, const MlpShape& mlp);
LayerShape rms_layer(const AttentionShape& attention, const MoeShape& moe);

}  // namespace trainwright::model::hf
