// SPDX-License-Identifier: Apache-2.0
#include "cli/process/child_process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <stdexcept>

#include "model/base/error.hpp"

namespace trainwright::cli {
namespace {

const std::filesystem::path kShell = "/bin/sh";

/// Whether a process is gone or waits to be collected by whoever adopted it; a kill takes effect a little later.
bool has_ended(const std::string& pid) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string number;
    std::string name;
    std::string state;
    if (!(file >> number >> name >> state) || state == "Z" || state == "X")
      return true;
    ::poll(nullptr, 0, 5);
  }
  return false;
}

TEST(ChildProcess, LinesArriveInOrderAndTheExitCodeIsPassedOn) {
  std::vector<std::string> lines;
  const ChildResult result = run_child(kShell, {"-c", "echo one; echo; printf last; exit 3"}, {},
                                       [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "last"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.was_killed);
}

TEST(ChildProcess, ASignalIsToldFromAnExitCode) {
  const ChildResult result = run_child(kShell, {"-c", "kill -KILL $$"}, {}, [](const std::string&) {});
  EXPECT_TRUE(result.was_killed);
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
}

TEST(ChildProcess, StopInterruptsTheChildAndWaitsForIt) {
  std::stop_source stop;
  std::vector<std::string> lines;
  const ChildResult result =
      run_child(kShell, {"-c", "trap 'echo interrupted; exit 1' INT; echo ready; while :; do sleep 0.05; done"},
                stop.get_token(), [&](const std::string& line) {
                  lines.push_back(line);
                  if (line == "ready")
                    stop.request_stop();
                });
  EXPECT_EQ(lines, (std::vector<std::string>{"ready", "interrupted"}));
  EXPECT_EQ(result.exit_code, 1);
}

TEST(ChildProcess, AStopThatCameFirstIsNotLost) {
  std::stop_source stop;
  stop.request_stop();
  const ChildResult result = run_child(kShell, {"-c", "exec sleep 100"}, stop.get_token(), [](const std::string&) {});
  EXPECT_TRUE(result.was_killed);
  EXPECT_EQ(result.exit_code, 128 + SIGINT);
}

TEST(ChildProcess, AGrandchildThatHoldsTheOutputIsNotWaitedForAndEnds) {
  std::string grandchild;
  const ChildResult result = run_child(kShell, {"-c", "sleep 1000 & echo $!; exit 4"}, {},
                                       [&](const std::string& line) { grandchild = line; });
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(has_ended(grandchild));
}

TEST(ChildProcess, AFailingReaderEndsTheChild) {
  EXPECT_THROW(run_child(kShell, {"-c", "echo one; exec sleep 100"}, {},
                         [](const std::string&) { throw std::runtime_error("reader"); }),
               std::runtime_error);
}

TEST(ChildProcess, AMissingProgramIsAnEnvironmentError) {
  try {
    run_child("/no/such/program", {}, {}, [](const std::string&) {});
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_STREQ(error.what(), "cannot start /no/such/program: No such file or directory");
  }
}

TEST(ChildProcess, TheChildHasAProcessGroupOfItsOwn) {
  std::string group;
  run_child(kShell, {"-c", "ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/self/stat"}, {},
            [&](const std::string& line) { group = line; });
  EXPECT_NE(std::stol(group), ::getpgrp());
}

TEST(SiblingProgram, IsNamedWhenItIsMissing) {
  try {
    static_cast<void>(sibling_program("no-such-sibling"));
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-sibling cannot be started"), std::string::npos);
  }
}

}  // namespace
}  // namespace trainwright::cli
