// SPDX-License-Identifier: Apache-2.0
#include "model/validation/row_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "model/io/load.hpp"
#include "model/validation/names.hpp"
#include "model/validation/row_flags.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::validation {
namespace {

constexpr std::int64_t kUsualHeadDim = 128;
constexpr std::int64_t kGpt2Vocab = 50257;
constexpr std::int64_t kBertVocab = 30522;
constexpr double kBillion = 1e9;
// Published sizes are rounded, and count embeddings or not; another kind of MLP changes them by a fifth or more.
constexpr double kSameSize = 0.04;
constexpr double kOtherSize = 0.10;

bool contains(const std::string& text, std::string_view piece) {
  return text.find(piece) != std::string::npos;
}

bool is_named_like(const std::string& plain, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return contains(plain, name); });
}

// Routed experts or latent attention: the shape columns do not describe these.
bool needs_profile(const StepRow& row, const std::string& plain) {
  return is_named_like(plain, {"moe", "deepseek", "mixtral", "gptoss", "kimi", "grok", "a22b", "a3b"}) ||
         row.ep.value_or(1) > 1;
}

// The first layers stay, the longest run gives way: a cut model keeps its kinds of layers.
void cut_layers(Model& model, std::int64_t layers) {
  while (layer_count(model) > layers) {
    auto longest = std::max_element(model.layers.begin(), model.layers.end(),
                                    [](const LayerRun& a, const LayerRun& b) { return a.count < b.count; });
    const auto surplus = static_cast<int>(layer_count(model) - layers);
    const int taken = std::min(surplus, longest->count - 1);
    if (taken <= 0) {
      model.layers.pop_back();
      continue;
    }
    longest->count -= taken;
  }
}

// "dense_layers=1": how many layers without experts a cut model kept.
std::optional<int> stated_dense_layers(const StepRow& row) {
  constexpr std::string_view kStem = "dense_layers=";
  const std::size_t at = row.id.notes.find(kStem);
  if (at == std::string::npos)
    return std::nullopt;
  const std::string digits = row.id.notes.substr(at + kStem.size(), 4);
  int value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return problem == std::errc() ? std::optional(value) : std::nullopt;
}

// So many layers without experts first, the others with them.
void set_dense_layers(Model& model, int dense, int layers) {
  const auto mixture = std::find_if(model.layers.begin(), model.layers.end(),
                                    [](const LayerRun& run) { return run.layer.moe.has_value(); });
  if (model.layers.size() != 2 || mixture == model.layers.begin() || mixture == model.layers.end() || dense >= layers)
    return;
  model.layers.front().count = dense;
  model.layers.back().count = layers - dense;
}

RowModel from_profile(const StepRow& row, const std::string& id) {
  RowModel result;
  Diagnostics problems;
  result.model = load_model(id, problems);
  if (!result.model) {
    result.problem = "the profile of model \"" + row.model + "\" cannot be read";
    return result;
  }
  if (row.layers && *row.layers < layer_count(*result.model)) {
    cut_layers(*result.model, *row.layers);
    if (const std::optional<int> dense = stated_dense_layers(row))
      set_dense_layers(*result.model, *dense, static_cast<int>(*row.layers));
    result.assumptions.push_back("model " + id + " cut to " + std::to_string(*row.layers) + " layers");
  }
  return result;
}

struct Shape {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t ffn = 1;
  std::int64_t vocab = 1;
};

Model decoder(const StepRow& row, const Shape& shape, bool gated, bool tied) {
  const std::string plain = plain_name(row.model);
  const bool learned = is_named_like(plain, {"gpt", "bert"});
  const bool alibi = is_named_like(plain, {"mpt", "bloom"});
  const bool encoder = contains(plain, "bert");
  const bool biases = learned;
  Model model;
  model.id = plain;
  model.name = row.model;
  model.hidden = *row.hidden;
  model.vocab = shape.vocab;
  model.max_positions = *row.seq_len;
  model.position = learned ? PositionKind::learned : alibi ? PositionKind::alibi : PositionKind::rotary;
  model.tied_embeddings = tied;
  model.norm = gated ? NormKind::rms_norm : NormKind::layer_norm;
  model.norm_bias = model.norm == NormKind::layer_norm && !contains(plain, "mpt");
  model.embedding_norm = encoder;
  LayerShape layer;
  layer.attention.heads = shape.heads;
  layer.attention.kv_heads = shape.kv_heads;
  layer.attention.head_dim = *row.hidden / shape.heads;
  layer.attention.causal = !encoder;
  layer.attention.qkv_bias = layer.attention.output_bias = biases;
  layer.mlp = MlpShape{shape.ffn, gated, biases};
  layer.norm = model.norm;
  layer.norm_bias = model.norm_bias;
  model.layers = {{layer, static_cast<int>(*row.layers)}};
  return model;
}

// Heads of about size 128 that divide the hidden size and are shared out over `tp` ranks; 1 where there are none.
std::int64_t heads_near(std::int64_t hidden, std::int64_t tp) {
  const std::int64_t wanted = std::max<std::int64_t>(1, hidden / kUsualHeadDim);
  for (std::int64_t away = 0; away < wanted; ++away)
    for (const std::int64_t heads : {wanted - away, wanted + away})
      if (heads % tp == 0 && hidden % heads == 0)
        return heads;
  return 1;
}

double size_error(const Model& model, double billions) {
  return std::abs(static_cast<double>(parameter_count(model).total) / (billions * kBillion) - 1.0);
}

}  // namespace

RowModel model_of(const StepRow& row) {
  const std::string plain = plain_name(row.model);
  RowModel result;
  const auto assume = [&](const std::string& text) { result.assumptions.push_back(text); };
  const RowFlags flags(row);
  if (needs_profile(row, plain) && !flags.has("num-experts")) {
    std::string name = row.model;
    for (const std::string_view suffix : {" proxy", " Proxy"})
      if (const std::size_t at = name.find(suffix); at != std::string::npos)
        name.erase(at, suffix.size());
    if (const std::optional<std::string> id = model_profile_named(name))
      return from_profile(row, *id);
    result.problem = "no model profile for \"" + row.model + "\", and the row does not state its experts";
    return result;
  }
  if (!row.layers || !row.hidden || !row.seq_len) {
    result.problem = "the row states no layers, hidden size or sequence length";
    return result;
  }
  Shape shape;
  if (row.heads) {
    shape.heads = *row.heads;
  } else {
    shape.heads = heads_near(*row.hidden, row.tp.value_or(1));
    assume("heads: " + std::to_string(shape.heads) + ", of about size 128");
  }
  if (*row.hidden % shape.heads != 0) {
    result.problem =
        std::to_string(*row.hidden) + " hidden do not divide into " + std::to_string(shape.heads) + " heads";
    return result;
  }
  shape.kv_heads = row.kv_heads.value_or(shape.heads);
  const bool encoder = contains(plain, "bert");
  if (row.ffn)
    shape.ffn = *row.ffn;
  else
    assume("feed-forward width: 4 x hidden");
  shape.ffn = row.ffn.value_or(4 * *row.hidden);
  // Where no vocabulary is stated by code that trains without one (a stand-in task), there is no head to predict.
  const bool headless = !row.vocab && row.framework == "pytorch-gpipe";
  shape.vocab = row.vocab.value_or(encoder ? kBertVocab : kGpt2Vocab);
  if (headless)
    assume("no vocabulary is stated: the head is left out");
  else if (!row.vocab)
    assume("vocabulary: " + std::to_string(shape.vocab));
  bool gated = is_named_like(plain, {"llama", "internlm", "mistral", "qwen", "gemma", "baichuan"});
  const bool tied = is_named_like(plain, {"gpt", "bert", "mpt", "bloom", "gemma"});
  if (row.params_b && size_error(decoder(row, shape, gated, tied), *row.params_b) > kOtherSize &&
      size_error(decoder(row, shape, !gated, tied), *row.params_b) < kSameSize) {
    gated = !gated;
    assume(gated ? "the MLP is gated: the stated size needs three matrices"
                 : "the MLP is not gated: the stated size needs two matrices");
  }
  result.model = decoder(row, shape, gated, tied);
  result.model->has_head = !headless;
  apply_flags(flags, row, *result.model);
  return result;
}

}  // namespace trainwright::model::validation
