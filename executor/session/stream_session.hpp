// Runs the tasks of one rank: a thread for each stream in use, program order within it, dependencies between them by
// counters. Threads sleep while they wait. Every task's start and end are recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "executor/session/stream_schedule.hpp"

namespace trainwright::executor {

/// Nanoseconds of the steady clock, which all processes of one machine share.
using SteadyNs = std::int64_t;
[[nodiscard]] SteadyNs steady_now();

/// When a task ran: from the moment that its stream had reached it and its dependencies had ended.
struct TaskStamp {
  SteadyNs start = 0;
  SteadyNs end = 0;
  friend bool operator==(const TaskStamp&, const TaskStamp&) = default;
};

/// Does the work of a task. Called from the stream's thread; different streams call at the same time.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  /// Returns when the task is done. May throw; the step then fails.
  virtual void run(model::TaskId task) = 0;
  /// Another stream has failed: blocking operations should end soon.
  virtual void abort() noexcept = 0;
};

class StreamSession {
 public:
  /// `runner` must outlive the session. Threads start here.
  StreamSession(StreamSchedule schedule, TaskRunner& runner);
  StreamSession(const StreamSession&) = delete;
  StreamSession& operator=(const StreamSession&) = delete;
  ~StreamSession();

  /// Runs every task once, none before `start_at`; `stamps` gets one entry for each task. When a task throws, the other
  /// streams stop before their next task, and the first exception is rethrown when all have stopped; after that the
  /// session cannot be used again.
  void run_step(SteadyNs start_at, std::vector<TaskStamp>& stamps);

 private:
  class Streams;
  std::unique_ptr<Streams> streams_;
};

}  // namespace trainwright::executor
