// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/unread_fields.hpp"

#include <algorithm>
#include <array>

namespace trainwright::model::hf {
namespace {

// Weights of a kind or size that Model cannot say. Each is the marker of a published architecture: two head sizes and
// per-layer inputs (Gemma 3n and 4), block lists (Nemotron NAS, hybrids), linear attention and state spaces
// (Qwen3-Next, Jamba, Zamba, Falcon-H1), cross-attention layers for images (Llama 3.2), low-rank adapters inside the
// network.
constexpr auto kChangesShape = std::to_array<std::string_view>({
    "altup_num_inputs",
    "attn_layer_period",
    "block_configs",
    "block_types",
    "cross_attention_layers",
    "global_head_dim",
    "hidden_size_per_layer_input",
    "hybrid_override_pattern",
    "index_head_dim",
    "index_n_heads",
    "interleave_moe_layer_step",
    "laurel_rank",
    "layers_block_type",
    "linear_key_head_dim",
    "linear_num_key_heads",
    "linear_num_value_heads",
    "linear_value_head_dim",
    "mamba_d_ssm",
    "mamba_d_state",
    "mamba_expand",
    "moe_layer_start_index",
    "num_global_key_value_heads",
    "num_kv_heads_per_layer",
    "num_kv_shared_layers",
    "ssm_cfg",
    "state_size",
    "vocab_size_per_layer_input",
});

// Settings whose names sound like shapes and that add no weights.
constexpr auto kHarmless = std::to_array<std::string_view>({
    "_attn_implementation_autoset",
    "apply_residual_connection_post_layernorm",
    "attention_dropout",
    "attention_multiplier",
    "attention_probs_dropout_prob",
    "attention_softmax_in_fp32",
    "attn_implementation",
    "attn_logit_softcapping",
    "attn_pdrop",
    "attn_temperature_tuning",
    "bias_dropout_fusion",
    "cache_implementation",
    "chunk_size_feed_forward",
    "classifier_dropout",
    "classifier_dropout_prob",
    "embd_pdrop",
    "embedding_dropout",
    "embedding_fraction",
    "embedding_multiplier",
    "encoder_no_repeat_ngram_size",
    "encoder_stride",
    "ep_size",
    "final_logit_softcapping",
    "hidden_act",
    "hidden_activation",
    "hidden_dropout",
    "hidden_dropout_prob",
    "init_device",
    "initial_context_length",
    "is_encoder_decoder",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layerdrop",
    "layernorm_epsilon",
    "masked_softmax_fusion",
    "max_window_layers",
    "mm_tokens_per_image",
    "moe_aux_loss_coef",
    "moe_router_aux_loss_coef",
    "moe_router_bias_update_speed",
    "n_ctx",
    "n_group",
    "no_repeat_ngram_size",
    "norm_eps",
    "norm_epsilon",
    "norm_topk_prob",
    "num_beam_groups",
    "num_beams",
    "num_logits_to_keep",
    "num_return_sequences",
    "offset_alibi",
    "original_max_position_embeddings",
    "output_attentions",
    "output_hidden_states",
    "output_projection",
    "output_router_logits",
    "pooler_act",
    "pooler_fc_size",
    "pooler_num_attention_heads",
    "pooler_num_fc_layers",
    "pooler_size_per_head",
    "pooler_type",
    "query_pre_attn_scalar",
    "rms_norm_eps",
    "rope_interleave",
    "rope_local_base_freq",
    "rotary_dim",
    "rotary_emb_base",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "router_z_loss_coef",
    "scale_attention_softmax_in_fp32",
    "scale_attn_by_inverse_layer_idx",
    "scale_attn_weights",
    "skip_bias_add",
    "skip_bias_add_qkv",
    "slow_but_exact",
    "summary_proj_to_labels",
    "tie_encoder_decoder",
    "topk_group",
    "use_bidirectional_attention",
    "use_cache",
    "use_flash_attention",
    "use_flash_attention_2",
    "use_flash_attn",
    "vocab_file",
});

// Words of field names that speak of shapes.
constexpr auto kWords = std::to_array<std::string_view>({
    "hidden",
    "size",
    "width",
    "dim",
    "head",
    "layer",
    "expert",
    "rank",
    "lora",
    "bias",
    "norm",
    "ffn",
    "inter",
    "embed",
    "vocab",
    "window",
    "moe",
    "tie",
    "attn",
    "atten",
    "mlp",
    "proj",
    "num_",
    "n_",
    "d_",
    "shared",
    "sparse",
    "dense",
    "position_embeddings",
    "conv",
    "gate",
    "adapter",
    "pool",
    "vision",
    "audio",
    "encoder",
    "block",
    "relative",
    "stack",
    "dimension",
});

}  // namespace

UnreadField judge_unread_field(std::string_view key) {
  if (std::find(kChangesShape.begin(), kChangesShape.end(), key) != kChangesShape.end())
    return UnreadField::changes_shape;
  if (std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end())
    return UnreadField::harmless;
  const auto occurs = [key](std::string_view word) {
    const std::size_t at = key.find(word);
    // "n_", "d_" and "num_" mean something only in front: "token_" and "end_" contain them too.
    return word.ends_with('_') ? at == 0 : at != std::string_view::npos;
  };
  return std::any_of(kWords.begin(), kWords.end(), occurs) ? UnreadField::looks_like_shape : UnreadField::harmless;
}

}  // namespace trainwright::model::hf
