// The program trainwright-execute as a function, so that tests can run it with other parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/app/job.hpp"

namespace trainwright::executor {

/// Dispatches to the command; prints errors; returns the exit code.
[[nodiscard]] int execute_main(int argc, char** argv, const Parts& parts);

}  // namespace trainwright::executor
