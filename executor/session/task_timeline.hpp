// Where tasks run after the call that started them has returned: keeps their order on the device, and knows when they
// ran. Without one, a task has ended when its call returns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "executor/session/stream_session.hpp"

namespace trainwright::executor {

/// begin and end are called from the thread of the task's stream; the other functions from one thread, while no stream
/// is active. All throw CommunicationError or EnvironmentError.
class TaskTimeline {
 public:
  virtual ~TaskTimeline() = default;

  virtual void begin_step() = 0;
  /// What the stream is given from now on belongs to the task, and starts when the task's dependencies have ended;
  /// those have been given to their streams before.
  virtual void begin(model::TaskId task) = 0;
  /// Waits until the task may start: for work of the host itself.
  virtual void wait_until_free(model::TaskId task) = 0;
  virtual void end(model::TaskId task) = 0;
  /// Waits until all tasks of the step have ended, and writes when they ran.
  virtual void finish_step(std::vector<TaskStamp>& stamps) = 0;
};

}  // namespace trainwright::executor
