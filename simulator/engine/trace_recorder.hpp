// What a finished run shows: length of the step, busy stages, who did what when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/timeline.hpp"
#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

/// End of the last item.
[[nodiscard]] double step_seconds(const RunRecord& record);

/// Time the device of one rank of each stage computes.
[[nodiscard]] std::vector<model::Seconds> stage_busy(const RunPlan& plan, const RunRecord& record);

/// Intervals of all tasks of the simulated ranks in `sims` (item_intervals.hpp).
[[nodiscard]] model::Timeline record_timeline(const RunPlan& plan, const RunRecord& record,
                                              const std::vector<int>& sims);

}  // namespace trainwright::simulator
