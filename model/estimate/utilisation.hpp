// Model and hardware utilisation against the dense peak of the exact card, and what is wrong with figures that cannot
// be. Definitions: docs/results.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/hardware/accelerator.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// achieved / dense peak of the card in that precision; empty where the card does not have it.
[[nodiscard]] std::optional<double> utilisation(FlopsPerSecond achieved, const Accelerator& device,
                                                Precision precision);

/// Why a utilisation that was computed elsewhere cannot be taken as it is: above 1, or against twice the dense peak
/// (with sparsity). Empty when it can.
[[nodiscard]] std::optional<std::string> utilisation_problem(FlopsPerSecond achieved, double stated,
                                                             const Accelerator& device, Precision precision);

/// Floating-point operations of one step with what is computed twice: the layers' forward pass under full
/// recomputation, scores and weighted sums of unfused attention under selective (arXiv 2205.05198, appendix A).
[[nodiscard]] Flops hardware_flops(const Plan& plan);

}  // namespace trainwright::model
