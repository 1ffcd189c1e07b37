// trainwright/calibration/v1: fitted constants with their origin. The shipped constants of profiles/constants have the
// same format. docs/formats/calibration_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/base/diagnostic.hpp"
#include "model/calibration/calibration.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_calibration_json(const Calibration& calibration);
/// Empty when anything is wrong; `diagnostics` then says all of it.
[[nodiscard]] std::optional<Calibration> calibration_from_json(std::string_view text, std::string source,
                                                               Diagnostics& diagnostics);

}  // namespace trainwright::model
