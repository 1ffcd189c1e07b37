// The constants that only whole steps show: how much of its core communication takes from compute, what sharing a core
// costs, what a step costs beside its tasks. Found by a coordinate search on the predicted steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/calibration/calibration.hpp"

namespace trainwright::model {

struct StepFit {
  std::vector<std::string> fitted;  ///< names of the constants that were set
  std::vector<Residual> residuals;  ///< one a run
  double log_error = 0.0;           ///< 1.4826 x median |log error|, at least 0.02 (noise of repeated runs)
};

/// Changes `constants`. No runs: changes nothing.
[[nodiscard]] StepFit fit_whole_steps(const std::vector<const ExecutedRun*>& runs, CostConstants& constants,
                                      const Estimator& estimator);

}  // namespace trainwright::model
