// Constants fitted to measurements, each with its origin, to be laid over the shipped ones. On disk
// trainwright/calibration/v1. Never overwrites a shipped profile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/calibration/measurement.hpp"
#include "model/cost/cost_constants.hpp"
#include "model/estimate/estimator.hpp"

namespace trainwright::model {

struct FittedConstant {
  std::string name;  ///< as constant_refs() names it
  double before = 0.0;
  double value = 0.0;
  std::string origin;  ///< "16 GEMM points, residual 3.1 %"
  friend bool operator==(const FittedConstant&, const FittedConstant&) = default;
};

struct Residual {
  std::string what;  ///< "gemm 512x2048x512 fp32", "run dp2"
  double measured_s = 0.0;
  double predicted_s = 0.0;
  friend bool operator==(const Residual&, const Residual&) = default;
};

struct Calibration {
  Environment environment;
  std::vector<FittedConstant> constants;
  std::vector<Residual> residuals;
  double step_log_error = 0.0;  ///< robust scale of the log error of whole steps; 0: none measured
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

/// `base` with the fitted constants in place. Unknown names are an InputError.
[[nodiscard]] CostConstants apply(const Calibration& calibration, const CostConstants& base);

/// Fits what the measurements can tell and keeps the rest. `base` are the constants before, `cluster` the machine of
/// the micro-benchmarks, `estimator` what whole steps are predicted with. Throws InputError when there is nothing to
/// fit or a measurement is nonsense (one-rank collective, impossible bandwidth). docs/models/calibration.md.
[[nodiscard]] Calibration fit(const std::vector<Measurement>& measurements, const Cluster& cluster,
                              const CostConstants& base, const Estimator& estimator);

}  // namespace trainwright::model
