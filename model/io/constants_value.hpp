// The cost constants as a dictionary from name to number: in plans, and one by one in calibrations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/cost/cost_constants.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {

/// Every constant, in the order of constant_refs(). The origin is not in it.
[[nodiscard]] nlohmann::ordered_json constants_value(const CostConstants& constants);

/// Lays the dictionary over `constants`. Unknown names and values that no formula can use are errors. Returns the names
/// that the dictionary lacks; their values stay.
[[nodiscard]] std::vector<std::string> read_constants(JsonObject& object, CostConstants& constants);

/// What is wrong with `value` for the constant of this name; empty when it can be used. Nothing is negative; what is
/// divided by is above 0; a share is below 1.
[[nodiscard]] std::string constant_problem(std::string_view name, double value);

[[nodiscard]] std::vector<std::string> constant_names();

}  // namespace trainwright::model
