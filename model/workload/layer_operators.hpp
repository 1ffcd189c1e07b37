// The operators of one transformer layer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/workload/operator_list.hpp"

namespace trainwright::model {

/// Appends the operators of `layer` to `list`. `x`: the layer's input, `encoder`: the output of the encoder that a
/// cross attention reads. Returns the layer's output.
OperatorId append_layer(const Model& model, int layer, OperatorId x, std::optional<OperatorId> encoder,
                        std::vector<ListedOperator>& list);

/// Weights of a norm of `width`.
[[nodiscard]] std::int64_t norm_weights(NormKind kind, std::int64_t width, bool bias);

}  // namespace trainwright::model
