// trainwright/model/v1: the network to train, as architecture numbers. docs/formats/model_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/io/json_reader.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_model_json(const Model& model);
/// Empty when anything is wrong; `diagnostics` then says all of it.
[[nodiscard]] std::optional<Model> model_from_json(std::string_view text, std::string source, Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json model_value(const Model& model);
[[nodiscard]] Model read_model(JsonObject& object);

}  // namespace trainwright::model
