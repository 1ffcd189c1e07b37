// Reads a finished run: what each task did when, how busy a stage was, and where the step's time went.
//
// Breakdown. Seen from one rank: the one that computes most, since it sets the pace. Its compute is compute,
// recomputation or optimizer. Each gap between computes, and what follows the last one, is followed back in time
// through whatever ended last before: time in which a collective or message on that chain ran is exposed communication
// of its kind; what is left when it has ended is bubble; time in which the chain computes on other ranks is bubble if
// the chain left this rank through a message, and exposed communication of the group if it left through a collective (a
// straggler). So the parts tile the step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/estimate.hpp"
#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

/// End of the last item.
[[nodiscard]] double step_seconds(const RunRecord& record);

/// Where a step of `step` seconds went; sums to it.
[[nodiscard]] model::Breakdown break_down_step(const RunPlan& plan, const RunRecord& record, double step);

/// Time the device of one rank of each stage computes.
[[nodiscard]] std::vector<model::Seconds> stage_busy(const RunPlan& plan, const RunRecord& record);

/// Intervals of all tasks of the simulated ranks in `sims`. A collective's begins when all members are there, a
/// receive's when its turn has come.
[[nodiscard]] model::Timeline record_timeline(const RunPlan& plan, const RunRecord& record,
                                              const std::vector<int>& sims);

}  // namespace trainwright::simulator
