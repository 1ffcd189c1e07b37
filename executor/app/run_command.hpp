// `trainwright-execute run`: runs a plan on this machine and writes what was measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "executor/app/job.hpp"

namespace trainwright::executor {

/// Text of --help.
[[nodiscard]] std::string run_help();

/// Prints one JSON object a line on standard output; returns the exit code. Throws InputError and EnvironmentError.
[[nodiscard]] int run_command(const std::vector<std::string>& words, const Parts& parts);

}  // namespace trainwright::executor
