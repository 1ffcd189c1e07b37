// When each stage of a pipeline ends, from its times and the time of a message: the recurrence of the slot orders,
// exact for unequal stages. Stages x micro-batches steps, no graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/layout.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

struct StageTimes {
  Seconds forward = Seconds::zero();
  Seconds backward = Seconds::zero();
};

struct StageEnd {
  Seconds last_backward_start = Seconds::zero();  ///< of the last micro-batch: gradients become ready from here on
  Seconds end = Seconds::zero();
};

/// `message`: from the end of a pass on one stage to its arrival at the next.
[[nodiscard]] std::vector<StageEnd> pipeline_times(PipelineSchedule schedule, const std::vector<StageTimes>& stages,
                                                   std::int64_t micro_batches, Seconds message);

}  // namespace trainwright::model
