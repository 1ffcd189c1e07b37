// Scaling efficiency of data-parallel runs predicted from their base run: docs/models/validation.md has the equations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/calibration/calibration.hpp"
#include "model/validation/statistics.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

/// Given the base run's throughput, the efficiency of each row in percent, weak: the batch of a device is that of the
/// base run. Rows whose base run is no base of theirs, of networks without a known size, or on unknown devices are
/// skipped with the reason; what a row leaves open is among its assumptions.
[[nodiscard]] std::vector<RowResult> validate_scaling(const std::vector<ScalingRow>& rows,
                                                      const std::optional<Calibration>& calibration);

}  // namespace trainwright::model::validation
