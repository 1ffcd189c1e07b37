// How much of its rate a matrix product keeps while a collective runs on the same ranks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/backend/backend.hpp"
#include "executor/measurement/sampling.hpp"

namespace trainwright::executor {

/// Together. The same product on all ranks, first alone, then beside all-reduces that run without a pause on a second
/// thread of each rank, as gradient reduction runs beside the backward pass.
void measure_interference(RankContext& context, Communicator& communicator, const PointRules& rules,
                          model::Seconds limit);

}  // namespace trainwright::executor
