// What follows from a step time whatever estimator found it: throughput, utilisation, memory, interval, bottleneck,
// what-ifs, advice. Every estimator ends here, so that all report the same things. docs/results.md defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Fills everything but estimator, step, breakdown, stage_busy and timeline, which must be set.
void complete_estimate(const Plan& plan, Estimate& estimate);

}  // namespace trainwright::model
