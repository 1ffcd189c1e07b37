// A program as its streams see it: for each stream in use the tasks in order, and for each task how many tasks of other
// streams it waits for and which it releases. Order within a stream needs no bookkeeping.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

struct Lane {
  model::Stream stream = model::Stream::compute;
  std::vector<model::TaskId> tasks;
};

class StreamSchedule {
 public:
  /// Precondition: ExecutionGraph::check() found nothing (no dependency against the order of a stream).
  explicit StreamSchedule(const model::Program& program);

  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  [[nodiscard]] std::size_t task_count() const { return lane_of_.size(); }
  [[nodiscard]] std::size_t lane_of(model::TaskId task) const { return lane_of_[task.index()]; }
  /// Dependencies on tasks of other lanes.
  [[nodiscard]] std::uint32_t waits(model::TaskId task) const { return waits_[task.index()]; }
  /// Tasks of other lanes that wait for `task`.
  [[nodiscard]] std::span<const model::TaskId> released_by(model::TaskId task) const {
    return std::span(released_).subspan(first_released_[task.index()],
                                        first_released_[task.index() + 1] - first_released_[task.index()]);
  }

 private:
  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_of_;
  std::vector<std::uint32_t> waits_;
  std::vector<model::TaskId> released_;      // grouped by releasing task
  std::vector<std::size_t> first_released_;  // start of each group; one more entry than tasks
};

}  // namespace trainwright::executor
