// SPDX-License-Identifier: Apache-2.0
#include "cli/estimators/make_estimator.hpp"

#include "model/base/error.hpp"
#include "model/estimate/analytic_estimator.hpp"

namespace trainwright::cli {

std::unique_ptr<model::Estimator> make_estimator(model::EstimatorKind kind, bool with_timeline) {
  if (kind == model::EstimatorKind::analytic)
    return std::make_unique<model::AnalyticEstimator>();
  static_cast<void>(with_timeline);
  throw model::EnvironmentError("the simulator is not part of this build", "use --estimator analytic");
}

}  // namespace trainwright::cli
