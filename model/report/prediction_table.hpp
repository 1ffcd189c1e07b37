// Predictions before and after a calibration beside what was measured: plans used for the fit, and plans held back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/units/units.hpp"

namespace trainwright::model {

struct PredictionCase {
  std::string name;
  std::string layout;    ///< "dp 2, 4 micro-batches of 1"
  bool is_test = false;  ///< held back from the fit
  Seconds before = Seconds::zero();
  Seconds after = Seconds::zero();
  Seconds measured = Seconds::zero();
};

/// Mean of |predicted / measured - 1| over the held-back (or the fitted) cases.
struct MeanErrors {
  double before = 0.0;
  double after = 0.0;
};
[[nodiscard]] MeanErrors mean_errors(const std::vector<PredictionCase>& cases, bool of_test);

/// The table, fitted cases first, with both means below.
[[nodiscard]] std::string prediction_table(const std::vector<PredictionCase>& cases);

}  // namespace trainwright::model
