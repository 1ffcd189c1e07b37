// Mixtures of experts: Mixtral, Qwen 2 and 3 MoE, DeepSeek V2 and V3, gpt-oss.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/io/hf/llama_family.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::hf {
namespace {

void check_experts(HfReader& config, const MoeShape& moe) {
  if (moe.experts_per_token > moe.experts)
    config.add_error("num_experts_per_tok", "is " + std::to_string(moe.experts_per_token),
                     "there are " + std::to_string(moe.experts) + " experts");
}

MoeShape read_experts(HfReader& config, Names count, Names per_token, Names width) {
  MoeShape moe;
  moe.experts = config.integer(count, kExperts);
  moe.experts_per_token = config.integer(per_token, kExperts);
  moe.expert_ffn = config.integer(width, kExpertFfn);
  check_experts(config, moe);
  return moe;
}

// Qwen: every decoder_sparse_step-th layer has experts, unless mlp_only_layers lists it. `window_of` is called with the
// index of a layer.
template <class WindowOf>
void append_qwen_layers(HfReader& config, Model& model, const AttentionShape& attention, const MoeShape& moe,
                        int layers, WindowOf window_of) {
  const std::int64_t step = config.integer_or({"decoder_sparse_step"}, 1, kLayers);
  const std::vector<std::int64_t> dense = config.integers("mlp_only_layers", {0, layers - 1});
  std::optional<MlpShape> mlp;
  for (int i = 0; i < layers; ++i) {
    const bool has_experts = (i + 1) % step == 0 && std::find(dense.begin(), dense.end(), i) == dense.end();
    if (!has_experts && !mlp)
      mlp = read_gated_mlp(config);
    LayerShape layer = has_experts ? rms_layer(attention, moe) : rms_layer(attention, *mlp);
    layer.attention.window = window_of(i);
    append_layers(model, layer);
  }
  config.ignore({"intermediate_size"});  // written even where every layer has experts
}

}  // namespace

void read_mixtral(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, true);
  attention.window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  repeat_layer(config, model,
               rms_layer(attention, read_experts(config, {"num_local_experts", "num_experts"}, {"num_experts_per_tok"},
                                                 {"intermediate_size"})));
}

void read_qwen2_moe(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, true);
  attention.qkv_bias = config.flag("qkv_bias", true);
  MoeShape moe = read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  moe.shared_ffn = config.integer({"shared_expert_intermediate_size"}, {0, kFfn.max});
  moe.shared_gate = moe.shared_ffn > 0;
  const int layers = layer_number(config, {"num_hidden_layers"});
  const bool windowed = config.flag("use_sliding_window", false);
  const std::int64_t window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  const std::int64_t last = config.optional_integer({"max_window_layers"}, {0, kLayers.max}).value_or(layers);
  const std::vector<bool> listed = sliding_layers(config, layers);
  append_qwen_layers(config, model, attention, moe, layers, [&](int i) {
    const bool slides = listed.empty() ? i % 2 == 0 && i < last : listed[static_cast<std::size_t>(i)];
    return windowed && slides ? window : 0;
  });
}

void read_qwen3_moe(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_llama_attention(config, model, true);
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", false);
  attention.query_key_norm = true;
  const MoeShape moe =
      read_experts(config, {"num_experts", "num_local_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  const int layers = layer_number(config, {"num_hidden_layers"});
  const bool windowed = config.flag("use_sliding_window", false);
  const std::int64_t window = config.optional_integer({"sliding_window"}, kPositions).value_or(0);
  append_qwen_layers(config, model, attention, moe, layers, [&](int) { return windowed ? window : 0; });
}

namespace {

AttentionShape read_latent_attention(HfReader& config) {
  LatentAttention latent;
  // null says that queries are not compressed; absent says nothing, and the class's default would be 1536.
  if (config.is_present("q_lora_rank"))
    latent.query_rank = config.optional_integer({"q_lora_rank"}, kRank).value_or(0);
  else
    latent.query_rank = config.integer({"q_lora_rank"}, kRank);
  latent.key_value_rank = config.integer({"kv_lora_rank"}, kRank);
  latent.rope_head_dim = config.integer({"qk_rope_head_dim"}, kHeadDim);
  latent.nope_head_dim = config.integer({"qk_nope_head_dim"}, kHeadDim);
  latent.value_head_dim = config.integer({"v_head_dim"}, kHeadDim);
  AttentionShape attention;
  attention.heads = attention.kv_heads = config.integer({"num_attention_heads"}, kHeads);
  attention.head_dim = latent.nope_head_dim + latent.rope_head_dim;
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", false);
  attention.latent = latent;
  config.ignore({"num_key_value_heads", "head_dim", "qk_head_dim"});  // written, but the ranks decide
  return attention;
}

MoeShape read_deepseek_experts(HfReader& config, bool corrected_by_default) {
  MoeShape moe = read_experts(config, {"n_routed_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  moe.shared_ffn = config.optional_integer({"n_shared_experts"}, {0, kExperts.max}).value_or(0) * moe.expert_ffn;
  const std::string method = config.word("topk_method").value_or(corrected_by_default ? "noaux_tc" : "greedy");
  moe.router_bias = method == "noaux_tc";  // e_score_correction_bias: balanced without a loss, stored as a weight
  return moe;
}

// Multi-token prediction (arXiv 2412.19437, section 2.2): a layer, a projection of two widths to one and three norms;
// embedding and head are shared with the main model.
void note_prediction_layers(HfReader& config, Model& model) {
  const std::int64_t extra =
      config.optional_integer({"num_nextn_predict_layers", "num_mtp_layers"}, {0, kLayers.max}).value_or(0);
  if (extra == 0)
    return;
  const LayerShape& last = model.layers.back().layer;
  const std::int64_t one = attention_parameters(model, last) + mlp_parameters(model, last) +
                           norm_parameters(model, last) + 2 * model.hidden * model.hidden + 3 * model.hidden;
  model.notes.push_back("Not counted: " + std::to_string(extra) + " multi-token prediction layer(s) of " +
                        std::to_string(one) + " parameters each, besides the shared embedding and head.");
}

void read_deepseek(HfReader& config, Model& model, bool corrected_by_default) {
  read_llama_frame(config, model, false);
  config.refuse_flag("mlp_bias", "biases of shared experts cannot be described yet");
  const AttentionShape attention = read_latent_attention(config);
  const int layers = layer_number(config, {"num_hidden_layers"});
  const std::int64_t first = config.integer({"first_k_dense_replace"}, {0, layers});
  const std::int64_t step = config.optional_integer({"moe_layer_freq"}, kLayers).value_or(1);
  const MoeShape moe = read_deepseek_experts(config, corrected_by_default);
  const MlpShape mlp = read_gated_mlp(config);
  for (int i = 0; i < layers; ++i)
    append_layers(model, i >= first && i % step == 0 ? rms_layer(attention, moe) : rms_layer(attention, mlp));
  note_prediction_layers(config, model);
}

}  // namespace

void read_deepseek_v2(HfReader& config, Model& model) {
  read_deepseek(config, model, false);
}
void read_deepseek_v3(HfReader& config, Model& model) {
  read_deepseek(config, model, true);
}

void read_gpt_oss(HfReader& config, Model& model) {
  read_llama_frame(config, model, false);
  AttentionShape attention = read_grouped_heads(config, true);
  attention.head_dim = config.integer_or({"head_dim"}, 64, kHeadDim);
  attention.qkv_bias = attention.output_bias = config.flag("attention_bias", true);
  attention.sinks = true;
  MoeShape moe = read_experts(config, {"num_local_experts", "num_experts"},
                              {"num_experts_per_tok", "experts_per_token"}, {"intermediate_size"});
  moe.router_bias = moe.expert_bias = true;
  const int layers = layer_number(config, {"num_hidden_layers"});
  const std::int64_t window = config.integer_or({"sliding_window"}, 128, kPositions);
  const std::vector<bool> listed = sliding_layers(config, layers);
  LayerShape layer = rms_layer(attention, moe);
  for (int i = 0; i < layers; ++i) {
    const bool slides = listed.empty() ? i % 2 == 0 : listed[static_cast<std::size_t>(i)];
    layer.attention.window = slides ? window : 0;
    append_layers(model, layer);
  }
}

}  // namespace trainwright::model::hf
