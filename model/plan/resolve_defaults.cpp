// SPDX-License-Identifier: Apache-2.0
#include "model/plan/resolve_defaults.hpp"

#include <algorithm>

namespace trainwright::model {

Precision default_precision(const Cluster& cluster) {
  const auto everywhere = [&](Precision precision) {
    return std::all_of(cluster.groups.begin(), cluster.groups.end(),
                       [&](const NodeGroup& group) { return group.accelerator.peak(precision).has_value(); });
  };
  const bool on_cpu = std::any_of(cluster.groups.begin(), cluster.groups.end(), [](const NodeGroup& group) {
    return group.accelerator.kind == AcceleratorKind::cpu;
  });
  if (!on_cpu)
    for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::tf32})
      if (everywhere(precision))
        return precision;
  return Precision::fp32;
}

double default_loss_share(const Model& model) {
  constexpr double kMaskedTokens = 0.15;
  // Only encoders with a head over a vocabulary are masked language models.
  const bool sees_all = std::all_of(model.layers.begin(), model.layers.end(),
                                    [](const LayerRun& run) { return !run.layer.attention.causal; });
  return sees_all && model.has_head && model.vocab > 0 && model.encoder_layers == 0 ? kMaskedTokens : 1.0;
}

int default_tensor_chunks(std::string_view framework, const Layout& layout) {
  constexpr int kUserBufferSplits = 4;
  return framework == "megatron-te" && layout.sequence_parallel && layout.tp > 1 ? kUserBufferSplits : 1;
}

}  // namespace trainwright::model
