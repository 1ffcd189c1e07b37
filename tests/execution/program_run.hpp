// A program under test as a child process: its lines, its exit code, signals to it, and the ranks it started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/process/file_descriptor.hpp"

namespace trainwright::test {

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class ProgramRun {
 public:
  ProgramRun(const std::string& program, std::vector<std::string> arguments,
             const std::vector<std::pair<std::string, std::string>>& environment = {});
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;
  ~ProgramRun();

  /// Reads standard output until a line contains `text`; false when the program ended or time was up.
  [[nodiscard]] bool wait_for_line(const std::string& text, std::chrono::seconds limit = std::chrono::seconds(60));
  void signal(int number) const;
  /// Closes this end of the program's standard output.
  void stop_reading() { output_pipe_.reset(); }
  /// Exit code; 128 + number when a signal ended it; empty when it had to be killed at the limit.
  [[nodiscard]] std::optional<int> wait(std::chrono::seconds limit = std::chrono::seconds(60));

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const std::string& output() const { return output_; }  ///< read so far; all of it after wait()
  [[nodiscard]] std::string errors() const;                            ///< standard error so far

 private:
  [[nodiscard]] bool read_some(std::chrono::milliseconds limit);
  std::optional<int> reap(int options);

  TemporaryFolder folder_;
  pid_t pid_ = -1;
  executor::FileDescriptor output_pipe_;
  std::string output_;
  std::optional<int> status_;
};

/// Processes whose command line contains all of the words (the caller's own apart), by scanning /proc.
[[nodiscard]] std::vector<pid_t> processes_with(const std::vector<std::string>& words);

}  // namespace trainwright::test
