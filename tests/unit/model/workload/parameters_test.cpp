// Each equation of docs/models/parameters.md by hand, on small numbers that differ from each other.
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/parameters.hpp"

#include <gtest/gtest.h>

namespace trainwright::model {
namespace {

AttentionShape heads_of_3(std::int64_t heads, std::int64_t kv_heads) {
  AttentionShape attention;
  attention.heads = heads;
  attention.kv_heads = kv_heads;
  attention.head_dim = 3;
  return attention;
}

Model small_model() {
  Model model;
  model.hidden = 10;
  model.vocab = 100;
  model.max_positions = 7;
  model.position = PositionKind::rotary;
  LayerShape layer;
  layer.attention = heads_of_3(4, 2);
  layer.mlp = MlpShape{20, false, false};
  model.layers = {{layer, 2}};
  return model;
}

TEST(Parameters, AttentionCountsGroupedHeads) {
  Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  EXPECT_EQ(attention_parameters(model, layer), 10 * 12 + 2 * 10 * 6 + 12 * 10);
  layer.attention.qkv_bias = true;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 12 + 2 * 6);
  layer.attention.output_bias = true;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 24 + 10);
  layer.attention.sinks = true;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 34 + 4);
}

TEST(Parameters, QueryAndKeyNormsAreOfTheLayersKind) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  layer.attention.query_key_norm = true;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 2 * (2 * 3));
  layer.norm_bias = false;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 2 * 3);
  layer.norm = NormKind::rms_norm;
  layer.norm_bias = true;
  EXPECT_EQ(attention_parameters(model, layer), 360 + 2 * 3);
}

TEST(Parameters, LatentAttention) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  layer.attention.latent = LatentAttention{
      .query_rank = 0, .key_value_rank = 5, .rope_head_dim = 2, .nope_head_dim = 3, .value_head_dim = 6};
  const std::int64_t keys = 10 * (5 + 2) + 5 + 5 * 4 * (3 + 6);
  const std::int64_t output = 4 * 6 * 10;
  EXPECT_EQ(attention_parameters(model, layer), 10 * 4 * (3 + 2) + keys + output);
  layer.attention.latent->query_rank = 8;
  EXPECT_EQ(attention_parameters(model, layer), 10 * 8 + 8 + 8 * 4 * (3 + 2) + keys + output);
  layer.attention.qkv_bias = layer.attention.output_bias = true;
  EXPECT_EQ(attention_parameters(model, layer), 10 * 8 + 8 + 8 * 4 * (3 + 2) + keys + output + 8 + 7 + 10);
}

TEST(Parameters, CrossAttentionIsASecondAttention) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  layer.cross_attention = heads_of_3(2, 2);
  EXPECT_EQ(attention_parameters(model, layer), 360 + 4 * 10 * 6);
}

TEST(Parameters, MlpHasTwoOrThreeMatrices) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  EXPECT_EQ(mlp_parameters(model, layer), 2 * 10 * 20);
  layer.mlp = MlpShape{20, true, true};
  EXPECT_EQ(mlp_parameters(model, layer), 3 * 10 * 20 + 2 * 20 + 10);
  EXPECT_EQ(active_mlp_parameters(model, layer), mlp_parameters(model, layer));
}

TEST(Parameters, MixtureCountsAllExpertsAndActivatesSome) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  layer.mlp.reset();
  layer.moe = MoeShape{.experts = 8, .experts_per_token = 2, .expert_ffn = 6, .shared_ffn = 9, .gated = true};
  const std::int64_t always = 10 * 8 + 3 * 10 * 9;
  EXPECT_EQ(mlp_parameters(model, layer), always + 8 * 3 * 10 * 6);
  EXPECT_EQ(active_mlp_parameters(model, layer), always + 2 * 3 * 10 * 6);
  layer.moe->router_bias = layer.moe->shared_gate = layer.moe->expert_bias = true;
  EXPECT_EQ(mlp_parameters(model, layer), always + 8 + 10 + 8 * (3 * 10 * 6 + 2 * 6 + 10));
}

TEST(Parameters, NormsHaveGainAndMaybeShift) {
  const Model model = small_model();
  LayerShape layer = model.layers.front().layer;
  EXPECT_EQ(norm_parameters(model, layer), 2 * 2 * 10);
  layer.norm_bias = false;
  EXPECT_EQ(norm_parameters(model, layer), 2 * 10);
  layer.norms = 4;
  layer.norm = NormKind::rms_norm;
  EXPECT_EQ(norm_parameters(model, layer), 4 * 10);
}

TEST(Parameters, EmbeddingsAndHead) {
  Model model = small_model();
  EXPECT_EQ(embedding_parameters(model), 100 * 10);
  EXPECT_EQ(head_parameters(model), 100 * 10);
  model.position = PositionKind::learned;
  EXPECT_EQ(embedding_parameters(model), 100 * 10 + 7 * 10);
  model.position_rows = 9;
  EXPECT_EQ(embedding_parameters(model), 100 * 10 + 9 * 10);
  model.tied_embeddings = true;
  EXPECT_EQ(head_parameters(model), 0);
  model.head_bias = true;
  EXPECT_EQ(head_parameters(model), 100);
  model.has_head = false;
  EXPECT_EQ(head_parameters(model), 0);
}

TEST(Parameters, NarrowEmbeddingsNeedProjections) {
  Model model = small_model();
  model.embedding_width = 4;
  EXPECT_EQ(embedding_parameters(model), 100 * 4 + 2 * 4 * 10);
  EXPECT_EQ(head_parameters(model), 100 * 4);
}

TEST(Parameters, RelativePositionsHaveOneTablePerStack) {
  Model model = small_model();
  model.position = PositionKind::relative;
  model.relative_buckets = 32;
  EXPECT_EQ(embedding_parameters(model), 100 * 10 + 32 * 4);
  LayerShape decoder = model.layers.front().layer;
  decoder.attention.heads = 5;
  model.layers.push_back({decoder, 1});
  model.encoder_layers = 2;
  EXPECT_EQ(embedding_parameters(model), 100 * 10 + 32 * (4 + 5));
  EXPECT_EQ(final_parameters(model), 2 * 2 * 10);
}

TEST(Parameters, FinalCountsNormsAndTheRest) {
  Model model = small_model();
  EXPECT_EQ(final_parameters(model), 20);
  model.embedding_norm = true;
  model.extra_parameters = 3;
  EXPECT_EQ(final_parameters(model), 43);
  model.norm_bias = false;
  model.final_norm = false;
  EXPECT_EQ(final_parameters(model), 13);
}

TEST(Parameters, TotalIsTheSumOfTheParts) {
  const Model model = small_model();
  const LayerShape& layer = model.layers.front().layer;
  const ParameterCount count = parameter_count(model);
  EXPECT_EQ(count.total, embedding_parameters(model) + head_parameters(model) + final_parameters(model) +
                             2 * (attention_parameters(model, layer) + mlp_parameters(model, layer) +
                                  norm_parameters(model, layer)));
  EXPECT_EQ(count.active, count.total);
}

TEST(Parameters, EmptyModelHasNoLayers) {
  Model model = small_model();
  model.layers.clear();
  model.position = PositionKind::relative;
  EXPECT_EQ(parameter_count(model).total, 2 * 1000 + 20);
}

TEST(LayerAt, FollowsTheRuns) {
  Model model = small_model();
  LayerShape other = model.layers.front().layer;
  other.norms = 3;
  model.layers.push_back({other, 1});
  EXPECT_EQ(layer_count(model), 3);
  EXPECT_EQ(layer_at(model, 1).norms, 2);
  EXPECT_EQ(layer_at(model, 2).norms, 3);
}

}  // namespace
}  // namespace trainwright::model
