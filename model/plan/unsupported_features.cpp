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
  refuse(layout.cp > 1, "cp", "context parallelism (" + std::to_string(layout.cp) + ")", "1");
  refuse(layout.ep > 1, "ep", "expert parallelism (" + std::to_string(layout.ep) + ")", "1");
  refuse(layout.etp > 1, "etp", "tensor parallelism inside experts (" + std::to_string(layout.etp) + ")", "1");
  refuse(layout.sequence_parallel, "sequence_parallel", "sequence parallelism", "false");
  refuse(layout.recompute != Recompute::none, "recompute", "recomputation of activations", "none");
  const auto refuse_model = [&](bool asked, const std::string& what) {
    if (asked)
      problems.add({Severity::error, source, source == kCommandLineSource ? "--model" : "/model",
                    what + " not yet supported by this version", "dense models are", "version.unsupported"});
  };
  const auto any_layer = [&](auto is_so) {
    return std::any_of(plan.model.layers.begin(), plan.model.layers.end(),
                       [&](const LayerRun& run) { return is_so(run.layer); });
  };
  refuse_model(any_layer([](const LayerShape& layer) { return layer.moe.has_value(); }),
               "mixture-of-experts layers are");
  refuse_model(any_layer([](const LayerShape& layer) { return layer.attention.latent.has_value(); }),
               "multi-head latent attention is");
  refuse_model(any_layer([](const LayerShape& layer) { return layer.norms > 2; }),
               "layers with more than two norms are");
  refuse_model(any_layer([](const LayerShape& layer) { return layer.cross_attention.has_value(); }) ||
                   plan.model.encoder_layers > 0,
               "encoder-decoder models are");
  refuse_model(plan.model.vocab == 0, "models whose input is not tokens are");
  refuse_model(plan.model.embedding_width != 0 && plan.model.embedding_width != plan.model.hidden,
               "embeddings of another width than the layers are");
  return problems;
}

}  // namespace trainwright::model
