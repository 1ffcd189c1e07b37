// Start times and details of items, derived from a plan and a record: shared by the runner, which needs the start of
// what comes next, and by what reads the record afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

class ItemTimes {
 public:
  /// Keeps references; both may still be filling.
  ItemTimes(const RunPlan& plan, const RunRecord& record) : plan_(plan), record_(record) {}

  /// When everything before an item on its own rank had ended: 0 if nothing is before it.
  [[nodiscard]] double ready(int sim, int item) const;
  /// The item on the same rank that ended last before it; -1 if nothing is before it.
  [[nodiscard]] int last_predecessor(int sim, int item) const;
  [[nodiscard]] double end(int sim, int item) const {
    return record_.end[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)];
  }
  [[nodiscard]] const Item& item(int sim, int item) const {
    return plan_.ranks[static_cast<std::size_t>(sim)].items->items[static_cast<std::size_t>(item)];
  }
  [[nodiscard]] const model::Task& task(int sim, int task) const {
    return plan_.scene.graph.program(model::ProgramId(plan_.ranks[static_cast<std::size_t>(sim)].program))
        .tasks[static_cast<std::size_t>(task)];
  }
  [[nodiscard]] const Segment& segment(int sim, int item) const;
  [[nodiscard]] SegmentMember member(int sim, double arrival) const;
  [[nodiscard]] SegmentTimes segment_times(int sim) const;

 private:
  const RunPlan& plan_;
  const RunRecord& record_;
};

}  // namespace trainwright::simulator
