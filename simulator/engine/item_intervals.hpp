// The tasks of an item with their times, worked out again from the end of the item and what went before it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "simulator/engine/item_times.hpp"

namespace trainwright::simulator {

struct TaskInterval {
  int task = 0;
  double start = 0.0;
  double end = 0.0;
};

class ItemIntervals {
 public:
  /// Keeps references. The run must be over.
  ItemIntervals(const RunPlan& plan, const RunRecord& record) : plan_(plan), record_(record), times_(plan, record) {}

  [[nodiscard]] const ItemTimes& times() const { return times_; }
  /// Every task of an item with the times on its rank. A collective begins when all members are there, a receive when
  /// its turn has come.
  [[nodiscard]] std::vector<TaskInterval> of(int sim, int item) const;
  /// Simulated rank and item of the member that got to a collective last.
  [[nodiscard]] std::pair<int, int> last_arrival(int sim, int item) const;
  /// Time an item keeps the device computing.
  [[nodiscard]] double busy(int sim, int item) const;
  /// The same of all items of a rank.
  [[nodiscard]] double busy(int sim) const;

 private:
  [[nodiscard]] double collective_start(int sim, int item) const;
  [[nodiscard]] std::vector<TaskInterval> of_segment(int sim, int item) const;
  [[nodiscard]] std::vector<TaskInterval> stretched(int sim, int item, double ready) const;

  const RunPlan& plan_;
  const RunRecord& record_;
  ItemTimes times_;
};

}  // namespace trainwright::simulator
