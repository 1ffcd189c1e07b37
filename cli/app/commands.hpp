// The list of commands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cli/commands/command.hpp"

namespace trainwright::cli {

/// Every command of the program, in the order the help lists them. Another command is one more line here.
[[nodiscard]] std::vector<std::unique_ptr<Command>> make_commands();

}  // namespace trainwright::cli
