// Runs a program once: feeds its standard input, collects what it prints, ends it on time-out or on request. Used for
// trainwright-simulate. posix_spawn, since callers have threads; no Qt, so that the command line can use it too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace trainwright::simulator {

struct WorkerRun {
  enum class End { exited, killed_by_signal, timed_out, stopped };
  End end = End::exited;
  int code = 0;  ///< exit code, or the signal
  std::string output;
  std::string errors;  ///< standard error without the progress lines
};

struct WorkerOptions {
  std::optional<std::chrono::milliseconds> timeout;  ///< empty: as long as it takes
  std::function<void(double)> progress;              ///< called for each line "progress 0.42" on standard error
};

/// Returns when the program has ended, one way or another; it is never left running. Throws EnvironmentError if it
/// cannot be started.
[[nodiscard]] WorkerRun run_worker(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                   const std::string& input, std::stop_token stop, const WorkerOptions& options);

/// trainwright-simulate: what the environment variable TRAINWRIGHT_SIMULATE names, else the one beside the running
/// program. Throws EnvironmentError if there is none.
[[nodiscard]] std::filesystem::path find_simulation_worker();

}  // namespace trainwright::simulator
