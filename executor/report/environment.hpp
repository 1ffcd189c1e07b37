// Where a measurement was made: machine, libraries, command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/calibration/measurement.hpp"

namespace trainwright::executor {

/// `backend` and `versions` as the backend and the compute engine state them; kernel and program are added.
[[nodiscard]] model::Environment describe_environment(const std::string& backend,
                                                      const std::vector<std::pair<std::string, std::string>>& versions,
                                                      const std::string& command);

}  // namespace trainwright::executor
