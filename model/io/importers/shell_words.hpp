// Words of a launch script: quotes, line continuations, arrays and variables that the script itself sets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::model {

struct ShellText {
  std::vector<std::string> words;                ///< in order, variables filled in where the text sets them
  std::map<std::string, std::string> variables;  ///< NAME=value lines
  std::map<std::string, std::string> remarks;    ///< key=value words of comments, as recipes note their launcher
};

/// Reads what a shell would see, without running anything: no globs, no commands, no arithmetic.
[[nodiscard]] ShellText read_shell_text(std::string_view text);

}  // namespace trainwright::model
