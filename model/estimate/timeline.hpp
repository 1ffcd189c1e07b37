// Who did what when: the common output of simulated and executed steps. Times from the start of the step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/base/id.hpp"
#include "model/graph/task.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

struct Interval {
  TaskId task = TaskId(0);  ///< in the program of the lane's rank
  Seconds start = Seconds::zero();
  Seconds end = Seconds::zero();
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct RankTimeline {
  RankId rank = RankId(0);
  int represents = 1;               ///< ranks that behave the same (folded simulation)
  std::vector<Interval> intervals;  ///< by start time
  friend bool operator==(const RankTimeline&, const RankTimeline&) = default;
};

struct Timeline {
  std::vector<RankTimeline> ranks;
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

}  // namespace trainwright::model
