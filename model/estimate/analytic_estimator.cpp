// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/analytic_estimator.hpp"

#include "model/estimate/complete_estimate.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/estimate/step_time.hpp"

namespace trainwright::model {

std::optional<Estimate> AnalyticEstimator::estimate(const Plan& plan, std::stop_token stop,
                                                    const Progress& progress) const {
  if (stop.stop_requested())
    return std::nullopt;
  const StepTime time = step_time(plan, stage_models(plan));
  Estimate estimate;
  estimate.estimator = EstimatorKind::analytic;
  estimate.step = time.step;
  estimate.breakdown = time.breakdown;
  estimate.stage_busy = time.stage_busy;
  complete_estimate(plan, estimate);
  if (progress)
    progress(1.0);
  return estimate;
}

}  // namespace trainwright::model
