// Runs a simulation in a process of its own and brings its report back: SimGrid can be used once in a process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "simulator/client/report.hpp"

namespace trainwright::test {

struct Isolated {
  simulator::SimulationReport report;
  std::string error;  ///< what() of the exception that ended it, or empty
};

/// Forks, calls `simulation`, returns what it returned or threw.
[[nodiscard]] Isolated isolated(const std::function<simulator::SimulationReport()>& simulation);

}  // namespace trainwright::test
