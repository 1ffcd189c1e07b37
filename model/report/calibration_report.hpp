// What a fit changed and how well it explains what was measured; and a measurement's main figures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/calibration/calibration.hpp"

namespace trainwright::model {

/// Constants before and after, and the residuals of what was measured.
[[nodiscard]] std::string calibration_report(const Calibration& calibration);

/// Best rates by kind of micro-benchmark, and how many points did not converge.
[[nodiscard]] std::string measurement_report(const Measurement& measurement);

}  // namespace trainwright::model
