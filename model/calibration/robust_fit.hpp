// Fits positive constants to measured times, robustly and under log-normal priors. docs/models/calibration.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trainwright::model {

/// `value` points at the constant that the predictions read; its content at the start is the prior's median (> 0).
struct FitParameter {
  double* value;
  double prior_log_width;
};

struct FitPoint {
  std::string what;
  double measured_s;  ///< > 0
  double weight;
  std::function<double()> predict_s;  ///< reads the constants; > 0
};

/// Minimises sum of weight x rho((log predicted - log measured) / 0.05) + sum of (log(value / prior) / width)^2 with
/// the soft-L1 loss rho(x) = 2 (sqrt(1 + x^2) - 1), by Levenberg-Marquardt in the logarithms. Leaves the result in
/// *value.
void robust_fit(const std::vector<FitParameter>& parameters, const std::vector<FitPoint>& points);

/// Median of |log predicted - log measured|; 0 for no points.
[[nodiscard]] double median_log_error(const std::vector<FitPoint>& points);

}  // namespace trainwright::model
