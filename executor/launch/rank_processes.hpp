// The processes of a job: started together, watched together, ended together. No process survives this object.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "executor/process/child_process.hpp"
#include "executor/process/file_descriptor.hpp"
#include "executor/session/rank_report.hpp"

namespace trainwright::executor {

struct RankProcess {
  pid_t pid = -1;
  FileDescriptor reports;  ///< read end; closed at its end
  ReportReader reader;
  std::filesystem::path log;
  std::optional<int> status;  ///< as waitpid gives it, once ended
  int end_order = 0;          ///< 1 for the first that ended
  RankPhase phase = RankPhase::connecting;
  std::vector<StepReport> steps;
  std::optional<FinishedReport> finished;
  std::optional<FailureReport> failure;

  [[nodiscard]] bool running() const { return pid > 0 && !status; }
  [[nodiscard]] bool ended_well() const { return status == 0 && finished; }
};

class RankProcesses {
 public:
  RankProcesses() = default;
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;
  ~RankProcesses();

  /// Adds a process to the job's process group. Throws EnvironmentError.
  void start(ChildOptions options);
  /// Takes note of every process that has ended, and of what was in its pipe.
  void reap();
  /// Reads what has arrived from one rank.
  void read(RankProcess& rank);
  /// Asks all to end, waits up to `patience`, kills the rest.
  void end_all(std::chrono::milliseconds patience);

  [[nodiscard]] std::vector<RankProcess>& all() { return ranks_; }
  [[nodiscard]] const std::vector<RankProcess>& all() const { return ranks_; }
  [[nodiscard]] bool any_running() const;
  /// The first that ended without having finished; null when there is none.
  [[nodiscard]] const RankProcess* first_failure() const;

 private:
  std::vector<RankProcess> ranks_;
  int ended_ = 0;
};

/// The rank to blame when several have failed: killed by a signal before failed by itself before lost its peers, and
/// the earlier one of equals. Precondition: at least one has failed.
[[nodiscard]] std::size_t failed_first(const std::vector<RankProcess>& ranks);

/// "rank 1 was killed by signal 9 (KILL) while measuring, after 3 steps; last lines of rank-1.log: ..."
[[nodiscard]] std::string describe_failure(const RankProcess& rank, std::size_t number);

}  // namespace trainwright::executor
