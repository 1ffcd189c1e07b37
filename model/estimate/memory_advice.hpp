// What can be done about a peak that is too high, each move predicted again with its time and its memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Moves that lower the peak of the fullest stage, those against its largest part first, then those after which it
/// fits, then the fastest. `estimate` must have step and memory. Precondition: check_plan found no error.
[[nodiscard]] std::vector<Advice> memory_advice(const Plan& plan, const Estimate& estimate);

/// Fewest devices whose memory, less what is called borderline, holds the states of the model once. Last advice where
/// no move fits.
[[nodiscard]] std::int64_t least_devices(const Plan& plan);

/// "does not fit: 145.0 GiB of states + 62.0 GiB of the rest on 192.0 GiB, over by 15.0 GiB". States: weights,
/// gradients, master weights, moments.
[[nodiscard]] std::string memory_verdict_text(const MemoryEstimate& memory);

}  // namespace trainwright::model
