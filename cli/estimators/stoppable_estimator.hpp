// An estimator for fits, which ask it hundreds of times and know no other way to be told to stop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "model/estimate/estimator.hpp"

namespace trainwright::cli {

/// Thrown out of whatever asked the estimator.
struct Interrupted {};

class StoppableEstimator final : public model::Estimator {
 public:
  /// `inner` outlives this.
  StoppableEstimator(const model::Estimator& inner, std::stop_token stop) : inner_(inner), stop_(std::move(stop)) {}

  /// Throws Interrupted once `stop` has been requested.
  [[nodiscard]] std::optional<model::Estimate> estimate(const model::Plan& plan, std::stop_token,
                                                        const model::Progress& progress) const override {
    std::optional<model::Estimate> estimate = inner_.estimate(plan, stop_, progress);
    if (!estimate || stop_.stop_requested())
      throw Interrupted();
    return estimate;
  }

 private:
  const model::Estimator& inner_;
  std::stop_token stop_;
};

}  // namespace trainwright::cli
