// A prediction as text that a person takes in within ten seconds: the verdict first, then where the time and the memory
// go, what would help, and what was assumed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// "fits: 62 of 80 GB, step 412 ms (90 %: 394 ms to 431 ms), MFU 41.2 %, bound by compute"
[[nodiscard]] std::string verdict_line(const Estimate& estimate);
/// "llama-3-8b on 2 x dgx-h100, 16 ranks: tp 2, pp 1, dp 8, micro-batch 1 x 8, global batch 64 x 4096 tokens, bf16"
[[nodiscard]] std::string scenario_line(const Plan& plan);

/// The whole report, lines ending in '\n'.
[[nodiscard]] std::string estimate_report(const Estimate& estimate, const Plan& plan);

}  // namespace trainwright::model
