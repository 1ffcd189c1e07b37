// Does the compute tasks of a rank: matrix products, attention, memory-bound work, optimizer, fixed durations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/graph/task.hpp"

namespace trainwright::executor {

class ComputeEngine {
 public:
  virtual ~ComputeEngine() = default;
  /// Returns when the work is done, or, on a device with a TaskTimeline, when it is queued. Called from one thread.
  /// Precondition: no collective, transfer or host I/O.
  virtual void run(const model::Task& task) = 0;
};

}  // namespace trainwright::executor
