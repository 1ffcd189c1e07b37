// In which order the backward pass of a network finishes the gradients of its parameters: what decides how much of a
// reduction can run beside it. docs/models/validation.md, "Scaling efficiency".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/workload/model_description.hpp"
#include "model/workload/operator_network.hpp"

namespace trainwright::model::validation {

/// Gradients of one operator. Weights that are used twice (tied embeddings) are ready with their first use in the
/// forward pass.
struct OperatorGradient {
  double ready = 1.0;  ///< share of the backward pass's products done by then, 0 .. 1
  double parameters = 0.0;
};

struct GradientOrder {
  std::string network;                      ///< profile it was read from; empty: from a stated size only
  std::vector<OperatorGradient> gradients;  ///< in order of `ready`
  bool is_recurrent = false;                ///< has products that wait for each other, step by step
  [[nodiscard]] double parameters() const;
};

/// Runs of operators with the same count are one block that many times: layers, not all of one kind before the next.
[[nodiscard]] GradientOrder gradient_order(const OperatorNetwork& network);
[[nodiscard]] GradientOrder gradient_order(const Model& model);
/// `parameters` spread evenly over the backward pass, where no profile is known.
[[nodiscard]] GradientOrder even_gradient_order(double parameters);

/// The order of the shipped network, else model, whose id begins the name, letters and digits alone compared:
/// "ResNet-50 v1.5" is resnet-50, "BERT-Large SQuAD fine-tuning" is bert-large. The longest id wins.
[[nodiscard]] std::optional<GradientOrder> gradient_order_named(std::string_view name);

}  // namespace trainwright::model::validation
