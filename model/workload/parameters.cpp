// The equations and their sources: docs/models/parameters.md, whose numbers the comments here quote.
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

// Equation 1. `inputs` x `outputs` matrix, with one bias value per output if asked for.
std::int64_t matrix(std::int64_t inputs, std::int64_t outputs, bool bias = false) {
  return inputs * outputs + (bias ? outputs : 0);
}

// Equation 2. A layer norm has a gain and, unless it was left out, a shift; an RMS norm has the gain only.
std::int64_t norm(std::int64_t width, NormKind kind, bool bias) {
  return kind == NormKind::layer_norm && bias ? 2 * width : width;
}

// Equation 4: multi-head latent attention. Biases exist on the matrices that read or write the hidden state.
std::int64_t latent_attention(std::int64_t hidden, const AttentionShape& attention) {
  const LatentAttention& latent = *attention.latent;
  const std::int64_t query_width = attention.heads * (latent.nope_head_dim + latent.rope_head_dim);
  std::int64_t count = 0;
  if (latent.query_rank > 0)
    count += matrix(hidden, latent.query_rank, attention.qkv_bias) + latent.query_rank +
             matrix(latent.query_rank, query_width);
  else
    count += matrix(hidden, query_width);
  count += matrix(hidden, latent.key_value_rank + latent.rope_head_dim, attention.qkv_bias) + latent.key_value_rank;
  count += matrix(latent.key_value_rank, attention.heads * (latent.nope_head_dim + latent.value_head_dim));
  count += matrix(attention.heads * latent.value_head_dim, hidden, attention.output_bias);
  return count;
}

// Equation 3 (or 4), with the query and key norms and the sinks.
std::int64_t one_attention(std::int64_t hidden, const AttentionShape& attention, const LayerShape& layer) {
  std::int64_t count = 0;
  if (attention.latent) {
    count = latent_attention(hidden, attention);
  } else {
    const std::int64_t query_width = attention.heads * attention.head_dim;
    const std::int64_t key_width = attention.kv_heads * attention.head_dim;
    count = matrix(hidden, query_width, attention.qkv_bias) + 2 * matrix(hidden, key_width, attention.qkv_bias) +
            matrix(query_width, hidden, attention.output_bias);
    if (attention.query_key_norm)
      count += 2 * norm(attention.head_dim, layer.norm, layer.norm_bias);
  }
  return count + (attention.sinks ? attention.heads : 0);
}

// Equation 5: up (and gate) and down.
std::int64_t feed_forward(std::int64_t hidden, std::int64_t width, bool gated, bool bias) {
  return (gated ? 2 : 1) * matrix(hidden, width, bias) + matrix(width, hidden, bias);
}

// Equation 6, with so many of the experts.
std::int64_t mixture(std::int64_t hidden, const MoeShape& moe, std::int64_t experts) {
  std::int64_t count = matrix(hidden, moe.experts, moe.router_bias);
  count += experts * feed_forward(hidden, moe.expert_ffn, moe.gated, moe.expert_bias);
  if (moe.shared_ffn > 0)
    count += feed_forward(hidden, moe.shared_ffn, moe.gated, false) + (moe.shared_gate ? hidden : 0);
  return count;
}

std::int64_t mlp_with_experts(const Model& model, const LayerShape& layer, bool active) {
  std::int64_t count = 0;
  if (layer.mlp)
    count += feed_forward(model.hidden, layer.mlp->ffn, layer.mlp->gated, layer.mlp->bias);
  if (layer.moe)
    count += mixture(model.hidden, *layer.moe, active ? layer.moe->experts_per_token : layer.moe->experts);
  return count;
}

// Equation 8: T5 keeps one table in the first layer of each stack, which all layers of the stack use.
std::int64_t relative_position_parameters(const Model& model) {
  if (model.layers.empty())
    return 0;
  std::int64_t columns = model.layers.front().layer.attention.heads;
  if (model.encoder_layers > 0 && model.encoder_layers < layer_count(model))
    columns += layer_at(model, model.encoder_layers).attention.heads;
  return model.relative_buckets * columns;
}

}  // namespace

std::int64_t embedding_width(const Model& model) {
  return model.embedding_width > 0 ? model.embedding_width : model.hidden;
}

std::int64_t attention_parameters(const Model& model, const LayerShape& layer) {
  std::int64_t count = one_attention(model.hidden, layer.attention, layer);
  if (layer.cross_attention)
    count += one_attention(model.hidden, *layer.cross_attention, layer);
  return count;
}

std::int64_t mlp_parameters(const Model& model, const LayerShape& layer) {
  return mlp_with_experts(model, layer, false);
}

std::int64_t active_mlp_parameters(const Model& model, const LayerShape& layer) {
  return mlp_with_experts(model, layer, true);
}

std::int64_t norm_parameters(const Model& model, const LayerShape& layer) {
  return layer.norms * norm(model.hidden, layer.norm, layer.norm_bias);
}

std::int64_t embedding_parameters(const Model& model) {
  std::int64_t count = model.vocab * embedding_width(model);
  if (model.position == PositionKind::learned)
    count += (model.position_rows > 0 ? model.position_rows : model.max_positions) * model.hidden;
  if (model.position == PositionKind::relative)
    count += relative_position_parameters(model);
  if (embedding_width(model) != model.hidden)
    count += 2 * matrix(embedding_width(model), model.hidden);
  return count;
}

std::int64_t head_parameters(const Model& model) {
  if (!model.has_head)
    return 0;
  return (model.tied_embeddings ? 0 : matrix(embedding_width(model), model.vocab)) +
         (model.head_bias ? model.vocab : 0);
}

std::int64_t final_parameters(const Model& model) {
  const std::int64_t one = norm(model.hidden, model.norm, model.norm_bias);
  std::int64_t norms = model.embedding_norm ? 1 : 0;
  if (model.final_norm)
    norms += model.encoder_layers > 0 && model.encoder_layers < layer_count(model) ? 2 : 1;
  return norms * one + model.extra_parameters;
}

ParameterCount parameter_count(const Model& model) {
  ParameterCount count;
  for (const LayerRun& run : model.layers) {
    const std::int64_t both = attention_parameters(model, run.layer) + norm_parameters(model, run.layer);
    count.total += run.count * (both + mlp_parameters(model, run.layer));
    count.active += run.count * (both + active_mlp_parameters(model, run.layer));
  }
  const std::int64_t outside = embedding_parameters(model) + head_parameters(model) + final_parameters(model);
  count.total += outside;
  count.active += outside;
  return count;
}

}  // namespace trainwright::model
