// Where the time of a step went.
//
// Seen from one rank, the one that computes most, since it sets the pace. What is left of the step when it has ended is
// bubble. Its compute is compute, recomputation or
// optimizer. Each gap between computes, and what follows the last one, is followed back in time through whatever ended
// last before: time in which a collective or message on that chain ran is exposed communication of its kind; time in
// which the chain computes on other ranks is bubble if the chain left this rank through a message, and exposed
// communication of the group if it left through a collective (a straggler). So the parts tile the step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/estimate/estimate.hpp"
#include "simulator/engine/run_plan.hpp"
#include "simulator/engine/run_record.hpp"

namespace trainwright::simulator {

/// Parts of a finished step of `step` seconds; they sum to it.
[[nodiscard]] model::Breakdown break_down_step(const RunPlan& plan, const RunRecord& record, double step);

}  // namespace trainwright::simulator
