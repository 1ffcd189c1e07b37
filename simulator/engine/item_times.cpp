// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/item_times.hpp"

#include <algorithm>

namespace trainwright::simulator {

double ItemTimes::ready(int sim, int item) const {
  const int last = last_predecessor(sim, item);
  return last < 0 ? 0.0 : end(sim, last);
}

int ItemTimes::last_predecessor(int sim, int item) const {
  const ItemProgram& items = *plan_.ranks[static_cast<std::size_t>(sim)].items;
  // The own stream first: on a tie, what the rank itself did is the cause.
  int last = items.items[static_cast<std::size_t>(item)].previous;
  for (const int before : items.predecessors[static_cast<std::size_t>(item)])
    if (last < 0 || end(sim, before) > end(sim, last))
      last = before;
  return last;
}

const Segment& ItemTimes::segment(int sim, int item) const {
  const ItemProgram& items = *plan_.ranks[static_cast<std::size_t>(sim)].items;
  return items.segments[static_cast<std::size_t>(items.items[static_cast<std::size_t>(item)].segment)];
}

SegmentMember ItemTimes::member(int sim, double arrival) const {
  return {arrival, plan_.ranks[static_cast<std::size_t>(sim)].task_seconds->data(),
          &record_.history[static_cast<std::size_t>(sim)], arrival};
}

SegmentTimes ItemTimes::segment_times(int sim) const {
  return {plan_.ranks[static_cast<std::size_t>(sim)].comm_seconds->data(), plan_.dispatch, plan_.compute_share};
}

}  // namespace trainwright::simulator
