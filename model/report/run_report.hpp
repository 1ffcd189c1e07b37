// An executed run beside its prediction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/calibration/measurement.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::model {

struct RunComparison {
  std::string name;
  int steps = 0;  ///< measured
  Seconds predicted = Seconds::zero();
  Seconds predicted_low = Seconds::zero();
  Seconds predicted_high = Seconds::zero();
  Seconds measured = Seconds::zero();  ///< median over the steps
  Seconds measured_min = Seconds::zero();
  Seconds measured_max = Seconds::zero();
  double error = 0.0;        ///< predicted / measured - 1
  bool in_interval = false;  ///< the median lies in the predicted interval
  double predicted_tokens_per_second = 0.0;
  double measured_tokens_per_second = 0.0;
  ByteCount predicted_peak_memory;
  ByteCount measured_peak_memory;  ///< of the fullest rank; resident set of a process on CPUs
};

/// Precondition: the run has at least one measured step; `estimate` is of run.plan.
[[nodiscard]] RunComparison compare(const ExecutedRun& run, const Estimate& estimate);

/// A table of predicted against measured, with a line that says whether they agree.
[[nodiscard]] std::string comparison_report(const RunComparison& comparison, const ExecutedRun& run);

}  // namespace trainwright::model
