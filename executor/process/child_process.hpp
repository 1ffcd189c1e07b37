// Starting, describing and ending child processes. posix_spawn, because the caller has threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace trainwright::executor {

/// Where a started program finds the pipe to its parent.
inline constexpr int kReportFd = 3;

struct ChildOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments;                            ///< without the program's name
  std::vector<std::pair<std::string, std::string>> environment;  ///< laid over this process's own
  std::filesystem::path log;                                     ///< replaced; takes standard output and error
  pid_t process_group = 0;                                       ///< 0: the child leads a new group
  int report_fd = -1;                                            ///< becomes kReportFd in the child
};

/// The child starts with default signal handling, nothing blocked, an empty standard input. Throws EnvironmentError.
[[nodiscard]] pid_t start_process(const ChildOptions& options);

/// "exited with code 3", "was killed by signal 9 (KILL)"; `status` as waitpid gives it.
[[nodiscard]] std::string describe_exit(int status);

/// In a child: have the kernel kill this process when `parent` ends. Returns false if it has ended already.
[[nodiscard]] bool die_with_parent(pid_t parent);

/// The last `count` lines of a text file, at most 4 kB; "" when it cannot be read.
[[nodiscard]] std::string last_lines(const std::filesystem::path& file, int count);

}  // namespace trainwright::executor
