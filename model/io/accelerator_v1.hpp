// trainwright/accelerator/v1: one kind of device. docs/formats/accelerator_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/hardware/accelerator.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_accelerator_json(const Accelerator& accelerator);
/// Empty when anything is wrong; `diagnostics` then says all of it.
[[nodiscard]] std::optional<Accelerator> accelerator_from_json(std::string_view text, std::string source,
                                                               Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json accelerator_value(const Accelerator& accelerator);
[[nodiscard]] Accelerator read_accelerator(JsonObject& object);

}  // namespace trainwright::model
