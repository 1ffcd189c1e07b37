// trainwright/plan/v1: everything needed to predict, simulate and run, in one text. docs/formats/plan_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/io/json_reader.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_plan_json(const Plan& plan);
/// Empty when anything is wrong with the text; `diagnostics` then says all of it. Whether the plan can be built is
/// check_plan's question. A constant that the text lacks (an older writer did not know it) takes its built-in value,
/// with a warning and a line in the plan's assumptions.
[[nodiscard]] std::optional<Plan> plan_from_json(std::string_view text, std::string source, Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json plan_value(const Plan& plan);
[[nodiscard]] Plan read_plan(JsonObject& object);
[[nodiscard]] nlohmann::ordered_json layout_value(const Layout& layout);

}  // namespace trainwright::model
