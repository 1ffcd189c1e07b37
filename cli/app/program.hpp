// The command line as a function: parses, runs one command, maps failures to the exit codes of the contract.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trainwright::cli {

/// 0 done, 1 the answer is no, 2 bad input, 3 environment.
[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace trainwright::cli
