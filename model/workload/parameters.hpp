// Parameter counts from architecture numbers, exact.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/workload/model_description.hpp"

namespace trainwright::model {

struct ParameterCount {
  std::int64_t total = 0;
  std::int64_t active = 0;  ///< touched by one token: experts_per_token of experts; both embeddings count
};

[[nodiscard]] ParameterCount parameter_count(const Model& model);

// The parts, whole layers, no parallel split.
[[nodiscard]] std::int64_t attention_parameters(const Model& model, const LayerShape& layer);
[[nodiscard]] std::int64_t mlp_parameters(const Model& model,
                                          const LayerShape& layer);  ///< dense MLP, or router + all experts + shared
[[nodiscard]] std::int64_t active_mlp_parameters(const Model& model,
                                                 const LayerShape& layer);  ///< the same for one token
[[nodiscard]] std::int64_t norm_parameters(const Model& model, const LayerShape& layer);
/// Of token embedding and head: hidden unless the model says otherwise.
[[nodiscard]] std::int64_t embedding_width(const Model& model);
[[nodiscard]] std::int64_t embedding_parameters(const Model& model);  ///< tokens and learned positions
[[nodiscard]] std::int64_t head_parameters(const Model& model);       ///< 0 when tied
[[nodiscard]] std::int64_t final_parameters(const Model& model);      ///< final and embedding norm, extra parameters

}  // namespace trainwright::model
