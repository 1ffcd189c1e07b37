// trainwright/measurement/v1: what was measured on a machine. Made by the executor, read by calibration.
// docs/formats/measurement_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/calibration/measurement.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_measurement_json(const Measurement& measurement);
/// Empty when anything is wrong; `diagnostics` then says all of it.
[[nodiscard]] std::optional<Measurement> measurement_from_json(std::string_view text, std::string source,
                                                               Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json environment_value(const Environment& environment);
[[nodiscard]] Environment read_environment(JsonObject& object);

}  // namespace trainwright::model
