// What a simulated step leaves behind: when each item of each simulated rank ended, and when communication ran.
// Everything else (start times, tasks inside segments, critical path) follows from it and the plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/comm_history.hpp"

namespace trainwright::simulator {

inline constexpr double kNotYet = -1.0;

struct RunRecord {
  std::vector<std::vector<double>> end;         ///< by simulated rank, item; kNotYet: did not end
  std::vector<std::vector<double>> message_at;  ///< by simulated rank, item; of receives: when the message was there
  std::vector<CommHistory> history;             ///< by simulated rank
  std::int64_t flows = 0;
  std::int64_t actors = 0;
};

}  // namespace trainwright::simulator
