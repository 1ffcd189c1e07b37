// Starts the ranks of a job on this machine, watches them, gathers what they report, and ends them: all finish, or all
// are gone. Serves the job's rendezvous store meanwhile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "executor/process/signal_watch.hpp"
#include "executor/rendezvous/socket.hpp"
#include "executor/session/rank_report.hpp"

namespace trainwright::executor {

struct LaunchOptions {
  std::filesystem::path program;       ///< started for each rank
  std::vector<std::string> arguments;  ///< the same for all ranks; rank, rendezvous and core are added
  int ranks = 1;
  int steps = 1;                  ///< measured steps that each rank will report
  std::filesystem::path run_dir;  ///< rank-R.log
  Endpoint rendezvous;            ///< where to listen; port 0: a free one
  std::vector<int> cores;         ///< pinned to, by rank; empty: not pinned
};

/// Called from the launching thread.
struct LaunchEvents {
  std::function<void(RankPhase)> phase;                        ///< all ranks have reached it
  std::function<void(std::int64_t step, double time_s)> step;  ///< all ranks have done it; from 0
};

struct LaunchResult {
  bool interrupted = false;
  std::string interrupted_by;                    ///< "SIGINT"
  std::int64_t steps = 0;                        ///< that all ranks have reported
  std::vector<std::vector<StepReport>> reports;  ///< by rank, `steps` each
  std::vector<std::int64_t> peak_memory_bytes;   ///< by rank; 0 when interrupted
};

/// Slowest rank of one step: from the common start to the end of its last task.
[[nodiscard]] double step_seconds(const std::vector<std::vector<StepReport>>& reports, std::int64_t step);

/// Runs the job. SIGINT, SIGTERM and SIGHUP end it early, which is a result. Throws EnvironmentError when a rank fails:
/// its number, what ended it, the last lines of its log. No rank is left when it returns or throws.
[[nodiscard]] LaunchResult launch(const LaunchOptions& options, SignalWatch& signals, const LaunchEvents& events);

}  // namespace trainwright::executor
