// Runs the real program as a user would, and a folder of its own for each test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace trainwright::testing_support {

struct Outcome {
  int exit_code = -1;  ///< 128 + signal when killed
  std::string out;
  std::string err;
};

enum class StandardOutput {
  captured,
  broken  ///< a pipe that nobody reads any more
};

/// A started program whose end has not been waited for.
class RunningProgram {
 public:
  /// `words` without the program's name; runs in `folder`. `program` empty: trainwright.
  RunningProgram(const std::vector<std::string>& words, const std::filesystem::path& folder, std::string program = {},
                 StandardOutput output = StandardOutput::captured);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  void signal(int number) const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The next line of its standard output; "" at its end.
  [[nodiscard]] std::string read_line();
  [[nodiscard]] Outcome wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

/// Children of a process, by the kernel's list; a child that nobody has collected counts.
[[nodiscard]] std::vector<std::string> children_of(pid_t pid);

class CommandTest : public testing::Test {
 protected:
  /// Asks again and again; false after half a minute.
  template <class Done>
  [[nodiscard]] static bool wait_until(Done done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline)
        return false;
      ::poll(nullptr, 0, 10);
    }
    return true;
  }

  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] Outcome run(const std::vector<std::string>& words) const;
  /// Writes a file into the test's folder; returns its name there.
  std::string write(const std::string& name, const std::string& content) const;
  [[nodiscard]] std::string read(const std::string& name) const;

  std::filesystem::path folder_;
};

}  // namespace trainwright::testing_support
