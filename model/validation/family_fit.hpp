// What whole training steps tell about the devices and the software of one accelerator family, fitted to all its
// published steps at once: the constants that are shipped as steps-FAMILY.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/validation/step_validation.hpp"

namespace trainwright::model::validation {

/// Files of constants to ship, by name ("steps-hopper.json"). Rows of one source share a weight that grows with the
/// root of their number, so that a source with hundreds of rows does not decide alone. Each constant names the rows and
/// sources it was fitted to. Starts from the constants of the rows' plans; links and networks stay as they are.
[[nodiscard]] std::map<std::string, std::string> step_constant_files(const std::vector<PlannedRow>& rows);

}  // namespace trainwright::model::validation
