// SPDX-License-Identifier: Apache-2.0
#include "cli/estimators/make_estimator.hpp"

#include "model/estimate/analytic_estimator.hpp"
#include "simulator/client/simulated_estimator.hpp"

namespace trainwright::cli {

std::unique_ptr<model::Estimator> make_estimator(model::EstimatorKind kind, bool with_timeline) {
  if (kind == model::EstimatorKind::analytic)
    return std::make_unique<model::AnalyticEstimator>();
  simulator::SimulationOptions options;
  options.keep_timeline = with_timeline;
  return std::make_unique<simulator::SimulatedEstimator>(kind, options);
}

}  // namespace trainwright::cli
