// Runs one of our own programs and hands over its standard output line by line. The child has a process group of its
// own, gets an interrupt forwarded once, and dies with this program, whatever happens to it; what is left of its group
// is killed when it has ended: no orphans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace trainwright::cli {

/// A program that is installed beside the running one. Throws EnvironmentError, naming it, when it is not there.
[[nodiscard]] std::filesystem::path sibling_program(const std::string& name);

struct ChildResult {
  int exit_code = 0;  ///< 128 + signal when it was killed
  bool was_killed = false;
};

/// Starts `program`, calls `on_line` for every line of its standard output, waits for its end. Its standard error is
/// this program's. When `stop` is requested it gets SIGINT and is waited for. Throws EnvironmentError when it cannot
/// start.
ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      std::stop_token stop, const std::function<void(const std::string&)>& on_line);

}  // namespace trainwright::cli
