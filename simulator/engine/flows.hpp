// Flows between devices, from within an actor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/base/id.hpp"

namespace simgrid::s4u {
class Host;
}

namespace trainwright::simulator {

struct HostFlow {
  simgrid::s4u::Host* from = nullptr;
  simgrid::s4u::Host* to = nullptr;
  double bytes = 0.0;
};

/// Starts all flows and returns when the last has ended. Only inside an actor. `end_of_each`, if given, gets the
/// simulated time at which each flow was seen to have ended.
void run_flows(const std::vector<HostFlow>& flows, std::vector<double>* end_of_each = nullptr);

}  // namespace trainwright::simulator
