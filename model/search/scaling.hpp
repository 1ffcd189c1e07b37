// Scaling curves of a plan: the same layout over more data-parallel replicas, weak (batch grows) or strong (batch
// stays). docs/models/scaling.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "model/estimate/estimator.hpp"
#include "model/estimate/scaling_efficiency.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

struct CurvePoint {
  int devices = 1;
  std::int64_t global_batch = 1;
  std::string problem;  ///< why there is no plan of this size; the numbers below are then 0
  Seconds step = Seconds::zero();
  Seconds step_low = Seconds::zero();  ///< 90 % interval
  Seconds step_high = Seconds::zero();
  double tokens_per_s = 0.0;
  double efficiency = 0.0;  ///< against the base
  Breakdown lost{};         ///< of the efficiency, by cause; sums to 1 - efficiency
  MemoryVerdict memory = MemoryVerdict::fits;
};

struct ScalingCurve {
  Scaling kind = Scaling::weak;
  std::vector<CurvePoint> points;   ///< ascending; the first without a problem is the base
  std::optional<std::size_t> base;  ///< index
  std::optional<std::size_t>
      knee;  ///< the last from which each doubling still buys kWorthDoubling; empty: never below it
  std::optional<std::size_t> largest;  ///< of the highest throughput, the fewest devices among equals
};

/// A doubling of devices that adds less than this share to the throughput is said not to pay.
inline constexpr double kWorthDoubling = 0.6;

/// `devices` ascending, without repeats. Precondition: check_plan finds no error in the plan. Ends early when stopped,
/// with the points that were done. Throws EnvironmentError when the estimator's engine fails.
[[nodiscard]] ScalingCurve scaling_curve(const Plan& plan, Scaling kind, const std::vector<int>& devices,
                                         const Estimator& estimator, std::stop_token stop, const Progress& progress);

/// Share that each doubling of devices from `from` to `to` adds to the throughput.
[[nodiscard]] double gain_of_doubling(const CurvePoint& from, const CurvePoint& to);

}  // namespace trainwright::model
