// SPDX-License-Identifier: Apache-2.0
#include "model/io/model_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxWidth = 1L << 32;
constexpr std::int64_t kMaxHeads = 1L << 20;
constexpr std::int64_t kMaxTokens = 1L << 40;
constexpr std::int64_t kMaxParameters = 1L << 60;
constexpr std::int64_t kMaxExperts = 1L << 20;
constexpr int kMaxLayers = 1'000'000;
constexpr int kMaxNorms = 16;

// Features: left out means not there. Nothing else has a default.
bool flag(JsonObject& object, std::string_view key) {
  return object.optional_boolean(key).value_or(false);
}

LatentAttention read_latent(JsonObject& object) {
  LatentAttention latent;
  latent.query_rank = object.optional_integer("query_rank", {0, kMaxWidth}).value_or(0);
  latent.key_value_rank = object.integer("key_value_rank", {1, kMaxWidth});
  latent.rope_head_dim = object.integer("rope_head_dim", {0, kMaxWidth});
  latent.nope_head_dim = object.integer("nope_head_dim", {1, kMaxWidth});
  latent.value_head_dim = object.integer("value_head_dim", {1, kMaxWidth});
  object.finish();
  return latent;
}

AttentionShape read_attention(JsonObject& object) {
  AttentionShape attention;
  const ProblemWatch watch(object);
  attention.heads = object.integer("heads", {1, kMaxHeads});
  attention.kv_heads = object.integer("kv_heads", {1, kMaxHeads});
  if (watch.is_clean() && attention.heads % attention.kv_heads != 0)
    object.add_error("kv_heads",
                     "is " + std::to_string(attention.kv_heads) + ", which does not divide the " +
                         std::to_string(attention.heads) + " heads",
                     "each key-value head serves equally many query heads");
  attention.head_dim = object.integer("head_dim", {1, kMaxWidth});
  attention.causal = object.boolean("causal");
  attention.qkv_bias = flag(object, "qkv_bias");
  attention.output_bias = flag(object, "output_bias");
  attention.query_key_norm = flag(object, "query_key_norm");
  attention.window = object.optional_integer("window", {0, kMaxTokens}).value_or(0);
  if (std::optional<JsonObject> latent = object.optional_object("latent"))
    attention.latent = read_latent(*latent);
  attention.sinks = flag(object, "sinks");
  object.finish();
  return attention;
}

MlpShape read_mlp(JsonObject& object) {
  MlpShape mlp;
  mlp.ffn = object.integer("ffn", {1, kMaxWidth});
  mlp.gated = object.boolean("gated");
  mlp.bias = flag(object, "bias");
  object.finish();
  return mlp;
}

MoeShape read_moe(JsonObject& object) {
  MoeShape moe;
  const ProblemWatch watch(object);
  moe.experts = object.integer("experts", {1, kMaxExperts});
  moe.experts_per_token = object.integer("experts_per_token", {1, kMaxExperts});
  if (watch.is_clean() && moe.experts_per_token > moe.experts)
    object.add_error("experts_per_token", "is " + std::to_string(moe.experts_per_token),
                     "at most the number of experts, " + std::to_string(moe.experts));
  moe.expert_ffn = object.integer("expert_ffn", {1, kMaxWidth});
  moe.shared_ffn = object.optional_integer("shared_ffn", {0, kMaxWidth}).value_or(0);
  moe.gated = object.boolean("gated");
  moe.router_bias = flag(object, "router_bias");
  moe.shared_gate = flag(object, "shared_gate");
  moe.expert_bias = flag(object, "expert_bias");
  object.finish();
  return moe;
}

// An RMS norm has no bias; a layer norm has one or not, and the file must say.
bool read_norm_bias(JsonObject& object, NormKind norm) {
  if (norm == NormKind::layer_norm)
    return object.boolean("norm_bias");
  return object.optional_boolean("norm_bias").value_or(true);
}

LayerRun read_layer_run(JsonObject& object) {
  LayerRun run;
  run.count = read_int(object, "count", 1, kMaxLayers);
  JsonObject attention = object.object("attention");
  run.layer.attention = read_attention(attention);
  if (std::optional<JsonObject> mlp = object.optional_object("mlp"))
    run.layer.mlp = read_mlp(*mlp);
  if (std::optional<JsonObject> moe = object.optional_object("moe"))
    run.layer.moe = read_moe(*moe);
  if (run.layer.mlp.has_value() == run.layer.moe.has_value())
    object.add_error("", run.layer.mlp ? "has both \"mlp\" and \"moe\"" : "has neither \"mlp\" nor \"moe\"",
                     "a layer has exactly one of them");
  run.layer.norm = object.choice<NormKind>("norm", kNormKindWords);
  run.layer.norm_bias = read_norm_bias(object, run.layer.norm);
  run.layer.norms = read_int(object, "norms", 0, kMaxNorms);
  run.layer.order = object.optional_choice<BlockOrder>("order", kBlockOrderWords).value_or(BlockOrder::sequential);
  if (std::optional<JsonObject> cross = object.optional_object("cross_attention")) {
    run.layer.cross_attention = read_attention(*cross);
    if (run.layer.cross_attention->causal)
      cross->add_error("causal", "is true", "every position attends to the whole output of the encoder");
  }
  object.finish();
  return run;
}

ordered_json attention_value(const AttentionShape& attention) {
  ordered_json value{{"heads", attention.heads},
                     {"kv_heads", attention.kv_heads},
                     {"head_dim", attention.head_dim},
                     {"causal", attention.causal},
                     {"qkv_bias", attention.qkv_bias},
                     {"output_bias", attention.output_bias},
                     {"query_key_norm", attention.query_key_norm},
                     {"window", attention.window},
                     {"sinks", attention.sinks}};
  if (attention.latent)
    value["latent"] = {{"query_rank", attention.latent->query_rank},
                       {"key_value_rank", attention.latent->key_value_rank},
                       {"rope_head_dim", attention.latent->rope_head_dim},
                       {"nope_head_dim", attention.latent->nope_head_dim},
                       {"value_head_dim", attention.latent->value_head_dim}};
  return value;
}

ordered_json layer_run_value(const LayerRun& run) {
  ordered_json value{{"count", run.count}, {"attention", attention_value(run.layer.attention)}};
  if (run.layer.mlp)
    value["mlp"] = {{"ffn", run.layer.mlp->ffn}, {"gated", run.layer.mlp->gated}, {"bias", run.layer.mlp->bias}};
  if (run.layer.moe)
    value["moe"] = {{"experts", run.layer.moe->experts},
                    {"experts_per_token", run.layer.moe->experts_per_token},
                    {"expert_ffn", run.layer.moe->expert_ffn},
                    {"shared_ffn", run.layer.moe->shared_ffn},
                    {"gated", run.layer.moe->gated},
                    {"router_bias", run.layer.moe->router_bias},
                    {"shared_gate", run.layer.moe->shared_gate},
                    {"expert_bias", run.layer.moe->expert_bias}};
  value["norm"] = word_of(kNormKindWords, run.layer.norm);
  value["norm_bias"] = run.layer.norm_bias;
  value["norms"] = run.layer.norms;
  value["order"] = word_of(kBlockOrderWords, run.layer.order);
  if (run.layer.cross_attention)
    value["cross_attention"] = attention_value(*run.layer.cross_attention);
  return value;
}

void fill(const Model& model, ordered_json& value) {
  value["id"] = model.id;
  value["name"] = model.name;
  value["architecture"] = model.architecture;
  value["hidden"] = model.hidden;
  value["vocab"] = model.vocab;
  value["embedding_width"] = model.embedding_width;
  value["max_positions"] = model.max_positions;
  value["position"] = word_of(kPositionKindWords, model.position);
  value["position_rows"] = model.position_rows;
  value["relative_buckets"] = model.relative_buckets;
  value["tied_embeddings"] = model.tied_embeddings;
  value["has_head"] = model.has_head;
  value["head_bias"] = model.head_bias;
  value["final_norm"] = model.final_norm;
  value["embedding_norm"] = model.embedding_norm;
  value["norm"] = word_of(kNormKindWords, model.norm);
  value["norm_bias"] = model.norm_bias;
  value["encoder_layers"] = model.encoder_layers;
  value["extra_parameters"] = model.extra_parameters;
  auto layers = ordered_json::array();
  for (const LayerRun& run : model.layers)
    layers.push_back(layer_run_value(run));
  value["layers"] = std::move(layers);
  value["notes"] = model.notes;
  value["sources"] = sources_value(model.sources);
}

void check(JsonObject& object, const Model& model) {
  if (model.layers.empty() && object.has("layers"))
    object.add_error("layers", "holds no layer", "at least one is needed");
  std::int64_t layers = 0;
  for (const LayerRun& run : model.layers)
    layers += run.count;
  if (layers > kMaxLayers)
    object.add_error("layers", "hold " + std::to_string(layers) + " layers",
                     "at most " + std::to_string(kMaxLayers) + " are possible");
  if (!model.layers.empty() && model.encoder_layers > layers)
    object.add_error("encoder_layers", "is " + std::to_string(model.encoder_layers),
                     "at most the number of layers, " + std::to_string(layers));
  if (model.position == PositionKind::learned && model.max_positions == 0 && model.position_rows == 0 &&
      object.has("max_positions"))
    object.add_error("max_positions", "is 0", "learned positions need the number of rows of their table");
}

}  // namespace

ordered_json model_value(const Model& model) {
  auto value = ordered_json::object();
  fill(model, value);
  return value;
}

Model read_model(JsonObject& object) {
  Model model;
  model.id = required_text(object, "id");
  model.name = object.string("name");
  model.architecture = object.string("architecture");
  model.hidden = object.integer("hidden", {1, kMaxWidth});
  model.vocab = object.integer("vocab", {0, kMaxWidth});
  model.embedding_width = object.optional_integer("embedding_width", {0, kMaxWidth}).value_or(0);
  model.max_positions = object.integer("max_positions", {0, kMaxTokens});
  model.position = object.choice<PositionKind>("position", kPositionKindWords);
  model.position_rows = object.optional_integer("position_rows", {0, kMaxTokens}).value_or(0);
  model.relative_buckets = object.optional_integer("relative_buckets", {0, kMaxTokens}).value_or(0);
  model.tied_embeddings = object.boolean("tied_embeddings");
  model.has_head = object.boolean("has_head");
  model.head_bias = flag(object, "head_bias");
  model.final_norm = object.boolean("final_norm");
  model.embedding_norm = flag(object, "embedding_norm");
  model.norm = object.choice<NormKind>("norm", kNormKindWords);
  model.norm_bias = read_norm_bias(object, model.norm);
  model.encoder_layers = static_cast<int>(object.optional_integer("encoder_layers", {0, kMaxLayers}).value_or(0));
  model.extra_parameters = object.optional_integer("extra_parameters", {0, kMaxParameters}).value_or(0);
  for (JsonObject& run : object.objects("layers"))
    model.layers.push_back(read_layer_run(run));
  model.notes = optional_strings(object, "notes");
  model.sources = read_sources(object);
  check(object, model);
  object.finish();
  return model;
}

std::string to_model_json(const Model& model) {
  ordered_json value{{"format", "trainwright/model/v1"}};
  fill(model, value);
  return canonical_text(value);
}

std::optional<Model> model_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "model", diagnostics, read_model);
}

}  // namespace trainwright::model
