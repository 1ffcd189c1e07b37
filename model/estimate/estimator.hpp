// Three estimators behind one interface (docs/architecture.md). An implementation holds no state between calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Fraction done, 0 .. 1; called at most about ten times a second, from the calling thread.
using Progress = std::function<void(double)>;

class Estimator {
 public:
  virtual ~Estimator() = default;

  /// Precondition: check_plan found no error. Empty when stopped. Throws EnvironmentError when the engine fails.
  [[nodiscard]] virtual std::optional<Estimate> estimate(const Plan& plan, std::stop_token stop,
                                                         const Progress& progress) const = 0;
};

}  // namespace trainwright::model
