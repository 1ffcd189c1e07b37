// The closed-form estimator: microseconds to milliseconds a plan, no engine, no execution graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/estimate/estimator.hpp"

namespace trainwright::model {

class AnalyticEstimator final : public Estimator {
 public:
  [[nodiscard]] std::optional<Estimate> estimate(const Plan& plan, std::stop_token stop,
                                                 const Progress& progress) const override;
};

}  // namespace trainwright::model
