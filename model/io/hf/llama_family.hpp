// What Llama and its relatives have in common; used by the dense ones and by the mixtures of experts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/io/hf/families.hpp"
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {

/// Width, vocabulary, positions and tying, under Llama's names: RMS norms, rotary positions.
void read_llama_frame(HfReader& config, Model& model, bool tied_by_default);

/// Heads and key-value heads under Llama's names. Where `grouped_by_default`, num_key_value_heads must be written
/// (null: as many as heads); else its absence means as many as heads, as in files from before grouped queries.
AttentionShape read_grouped_heads(HfReader& config, bool grouped_by_default);

/// The same with head_dim, or hidden / heads where it is absent.
AttentionShape read_llama_attention(HfReader& config, const Model& model, bool grouped_by_default);

/// num_hidden_layers copies of `layer`.
void repeat_layer(HfReader& config, Model& model, const LayerShape& layer);

/// The three matrices of intermediate_size.
MlpShape read_gated_mlp(HfReader& config);

/// An RMS-norm layer of these parts.
LayerShape rms_layer(const AttentionShape& attention, const MlpShape& mlp);
LayerShape rms_layer(const AttentionShape& attention, const MoeShape& moe);

}  // namespace trainwright::model::hf
