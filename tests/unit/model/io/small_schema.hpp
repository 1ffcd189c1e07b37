// A validator for the part of JSON Schema that profiles/schema uses; an unknown keyword is a problem, so that none of
// them is silently without effect.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace trainwright::model {

/// One line per violation, "/path: what"; empty when the value obeys the schema.
std::vector<std::string> schema_violations(const nlohmann::json& schema, const nlohmann::json& value);

/// The schema with "$ref" followed.
const nlohmann::json& resolved(const nlohmann::json& root, const nlohmann::json& schema);

}  // namespace trainwright::model
