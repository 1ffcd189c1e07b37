// Executed steps as a measurement: the records of all ranks on one clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "executor/launch/launcher.hpp"
#include "model/calibration/measurement.hpp"

namespace trainwright::executor {

/// Precondition: as many ranks in `result` as in the plan, and at least one step. `modes` are those that make it
/// unreal; an interrupted run adds its own.
[[nodiscard]] model::ExecutedRun make_executed_run(const model::Plan& plan, const std::string& name,
                                                   std::vector<std::string> modes, int planned_steps,
                                                   const LaunchResult& result);

}  // namespace trainwright::executor
