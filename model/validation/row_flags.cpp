// SPDX-License-Identifier: Apache-2.0
#include "model/validation/row_flags.hpp"

#include <algorithm>
#include <charconv>

namespace trainwright::model::validation {
namespace {

constexpr std::string_view kBegin = "flags: ";

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// "([0]*3+[1]*13)": layers without experts before those with; 0 where there is no such list.
std::int64_t dense_layers(const std::string& frequency) {
  constexpr std::string_view kDense = "[0]*";
  const std::size_t at = frequency.find(kDense);
  if (at == std::string::npos)
    return 0;
  const std::size_t begin = at + kDense.size();
  return whole_number(frequency.substr(begin, frequency.find_first_not_of("0123456789", begin) - begin)).value_or(0);
}

void make_mixture(const RowFlags& flags, const StepRow& row, bool gated, bool biased, Model& model) {
  LayerRun dense = model.layers.front();
  LayerRun mixture = dense;
  MoeShape moe;
  moe.experts = flags.number("num-experts").value_or(1);
  moe.experts_per_token = flags.number("moe-router-topk").value_or(2);
  moe.expert_ffn = flags.number("moe-ffn-hidden-size").value_or(row.ffn.value_or(4 * model.hidden));
  moe.shared_ffn = flags.number("moe-shared-expert-intermediate-size").value_or(0);
  moe.gated = gated;
  moe.expert_bias = biased;
  mixture.layer.mlp.reset();
  mixture.layer.moe = moe;
  dense.count = static_cast<int>(std::min<std::int64_t>(dense_layers(flags.word("moe-layer-freq")), dense.count));
  mixture.count -= dense.count;
  model.layers.clear();
  for (const LayerRun& run : {dense, mixture})
    if (run.count > 0)
      model.layers.push_back(run);
}

}  // namespace

RowFlags::RowFlags(const StepRow& row) {
  const std::string& notes = row.id.notes;
  const std::size_t at = notes.find(kBegin);
  stated_ = at != std::string::npos;
  if (!stated_)
    return;
  const std::string_view list =
      std::string_view(notes).substr(at + kBegin.size(), notes.find(';', at) - at - kBegin.size());
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    const std::string_view item = list.substr(begin, end - begin);
    const std::size_t equals = std::min(item.find('='), item.size());
    values_.emplace(item.substr(0, equals), equals < item.size() ? item.substr(equals + 1) : std::string_view());
    begin = end + 2;
  }
}

std::optional<std::int64_t> RowFlags::number(std::string_view name) const {
  return whole_number(word(name));
}

std::string RowFlags::word(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second;
}

void apply_flags(const RowFlags& flags, const StepRow& row, Model& model) {
  if (!flags.stated())
    return;
  if (flags.has("untie-embeddings-and-output-weights"))
    model.tied_embeddings = false;
  LayerShape& layer = model.layers.front().layer;
  const bool gated = flags.has("swiglu");
  const bool biased = !flags.has("disable-bias-linear");
  if (layer.mlp)
    *layer.mlp = {layer.mlp->ffn, gated, biased};
  AttentionShape& attention = layer.attention;
  attention.qkv_bias = attention.output_bias = biased;
  attention.head_dim = flags.number("kv-channels").value_or(attention.head_dim);
  if (const auto rank = flags.number("kv-lora-rank"))
    attention.latent = LatentAttention{flags.number("q-lora-rank").value_or(0), *rank,
                                       flags.number("qk-pos-emb-head-dim").value_or(attention.head_dim / 2),
                                       flags.number("qk-head-dim").value_or(attention.head_dim),
                                       flags.number("v-head-dim").value_or(attention.head_dim)};
  if (flags.has("num-experts"))
    make_mixture(flags, row, gated, biased, model);
}

void apply_flags(const RowFlags& flags, const StepRow& row, PlanChoices& choices) {
  if (!flags.stated())
    return;
  choices.sequence_parallel = flags.has("sequence-parallel") && row.tp.value_or(1) > 1;
  choices.overlap_gradients = flags.has("overlap-grad-reduce");
  choices.overlap_parameters = flags.has("overlap-param-gather");
  choices.dropout = flags.word("attention-dropout") != "0.0" || flags.word("hidden-dropout") != "0.0";
  choices.loss_share = 1.0;  // Megatron-Core's BERT has logits of all tokens, not of the masked ones alone
  choices.loss = flags.has("cross-entropy-loss-fusion") ? LossKernel::fused : LossKernel::in_place;
  const std::string backend = flags.word("attention-backend");
  if (backend == "unfused" || (backend.empty() && flags.word("transformer-impl") == "local"))
    choices.attention = AttentionKernel::unfused;
  // Megatron-Core splits experts like everything else unless told otherwise.
  if (flags.has("num-experts"))
    choices.etp = flags.number("expert-tensor-parallel-size").value_or(row.tp.value_or(1));
  const auto first = flags.number("decoder-first-pipeline-num-layers");
  const auto last = flags.number("decoder-last-pipeline-num-layers");
  const std::int64_t stages = row.pp.value_or(1);
  if (first && last && row.layers && stages > 2 && row.vpp.value_or(1) == 1) {
    std::vector<std::int64_t> split(static_cast<std::size_t>(stages), (*row.layers - *first - *last) / (stages - 2));
    split.front() = *first;
    split.back() = *last;
    choices.stage_layers = std::move(split);
  }
}

}  // namespace trainwright::model::validation
