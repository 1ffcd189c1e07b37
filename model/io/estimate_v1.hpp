// trainwright/estimate/v1: a prediction, as `predict --json` prints it and as the simulator's report carries it.
// docs/formats/estimate_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/estimate/estimate.hpp"
#include "model/io/json_reader.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// The plan gives what the estimate is about: names, ranks, sequences per step, origin of the constants.
[[nodiscard]] std::string to_estimate_json(const Estimate& estimate, const Plan& plan);
/// Exactly the estimate that was written; what came from the plan is passed over. Empty when anything is wrong.
[[nodiscard]] std::optional<Estimate> estimate_from_json(std::string_view text, std::string source,
                                                         Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json estimate_value(const Estimate& estimate, const Plan& plan);
[[nodiscard]] Estimate read_estimate(JsonObject& object);
[[nodiscard]] nlohmann::ordered_json timeline_value(const Timeline& timeline);
[[nodiscard]] Timeline read_timeline(JsonObject& object);

}  // namespace trainwright::model
