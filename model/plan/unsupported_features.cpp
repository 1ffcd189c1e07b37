// SPDX-License-Identifier: Apache-2.0
#include "model/plan/unsupported_features.hpp"

#include <algorithm>
#include <string_view>

#include "model/plan/plan_fields.hpp"

namespace trainwright::model {

Diagnostics unsupported_features(const Plan& plan, const std::string& source) {
  Diagnostics problems;
  const Layout& layout = plan.layout;
  const auto refuse = [&](bool asked, std::string_view field, const std::string& what, const std::string& allowed) {
    if (!asked)
      return;
    problems.add({Severity::error,
                  source,
                  field_path(source, PlanSection::layout, field),
                  what + " is not yet supported by this version; allowed: " + allowed,
                  {},
                  "version.unsupported"});
  };
  const auto any_layer = [&](auto is_so) {
    return std::any_of(plan.model.layers.begin(), plan.model.layers.end(),
                       [&](const LayerRun& run) { return is_so(run.layer); });
  };
  const bool has_window = any_layer(
      [&](const LayerShape& layer) { return layer.attention.window > 0 && layer.attention.window < plan.job.seq_len; });
  const bool is_ring = layout.cp > 1 && layout.cp_kind == ContextKind::ring;
  refuse(is_ring && has_window, "cp_kind", "ring attention over layers with a sliding window", "ulysses");
  refuse(is_ring && plan.job.attention == AttentionKernel::unfused, "cp_kind",
         "ring attention without a fused attention kernel", "ulysses, or --attention flash");
  const bool has_decoder = plan.model.encoder_layers > 0 && plan.model.encoder_layers < layer_count(plan.model);
  refuse(has_decoder && layout.pp > 1, "pp",
         "a pipeline of an encoder-decoder model (" + std::to_string(layout.pp) + " stages)", "1");
  return problems;
}

}  // namespace trainwright::model
