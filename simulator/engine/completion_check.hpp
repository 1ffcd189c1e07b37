// Proves that a simulated step came to its end. SimGrid returns normally from a deadlock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

/// Some tasks never ended. what() counts them and names the first stuck one of the first ranks.
class SimulationIncomplete : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws SimulationIncomplete unless every item of every simulated rank ended.
void check_completion(const RunPlan& plan, const RunRecord& record);

}  // namespace trainwright::simulator
