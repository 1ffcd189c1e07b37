// Constants fitted to sets of kernels, and how well they predict what they were not fitted to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/validation/kernel_points.hpp"

namespace trainwright::model::validation {

/// With the constants as they are shipped.
[[nodiscard]] std::vector<RowResult> validate_kernels(const std::vector<KernelSet>& sets);

/// The set's parameters fitted to `points` (indices into set.points), under the priors of constant_refs() around
/// `prior`.
[[nodiscard]] CostConstants fit_set(const KernelSet& set, const std::vector<std::size_t>& points,
                                    const CostConstants& prior);

/// What a set that nobody measured would be given: for each parameter the geometric mean over the other sets of its
/// kind (GEMM: and number format; collectives: and link kind) and, if `other_families`, of other families. Built-in
/// values where there is none.
[[nodiscard]] CostConstants pooled_prior(const KernelSet& set, const std::vector<KernelSet>& sets,
                                         const std::vector<CostConstants>& fitted, bool other_families);

/// Kernels: fitted on one half of the shapes of a set, tested on the other, both ways; halves drawn by `seed`.
/// Collectives: each curve (device, operation, ranks) left out whole and predicted from the others of its class.
[[nodiscard]] std::vector<RowResult> cross_validate(const std::vector<KernelSet>& sets, std::uint64_t seed);

/// As if each card were new: constants pooled over the other families, `count` points of the card spread over the sizes
/// (drawn by `seed`) to fit, the others to test.
[[nodiscard]] std::vector<RowResult> hold_out_cards(const std::vector<KernelSet>& sets, int count, std::uint64_t seed);

/// Files of constants to ship, by name: "kernels-hopper.json" for the first card of a family and for its other cards,
/// "kernels-h200-sxm.json" for a card of its own, "link-nvlink-switch-hopper.json" for links. Each constant with
/// origin.
[[nodiscard]] std::map<std::string, std::string> constant_files(const std::vector<KernelSet>& sets);

}  // namespace trainwright::model::validation
