// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/scaling_efficiency.hpp"

#include <cmath>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

constexpr double kSameWork = 1e-3;

bool same(double a, double b) {
  return std::abs(a - b) <= kSameWork * std::abs(b);
}

}  // namespace

double speed_up(const ScalingPoint& base, const ScalingPoint& point) {
  TRAINWRIGHT_EXPECTS(base.throughput > 0.0, "throughput of the base run");
  return point.throughput / base.throughput;
}

double scaling_efficiency(const ScalingPoint& base, const ScalingPoint& point) {
  TRAINWRIGHT_EXPECTS(base.devices > 0 && point.devices > 0, "devices of a run");
  return speed_up(base, point) * base.devices / point.devices;
}

ScalingKind scaling_kind(int base_devices, std::int64_t base_global_batch, int devices, std::int64_t global_batch) {
  TRAINWRIGHT_EXPECTS(base_devices > 0 && devices > 0, "devices of a run");
  const auto base = static_cast<double>(base_global_batch);
  const auto now = static_cast<double>(global_batch);
  if (same(now / devices, base / base_devices))
    return {true, Scaling::weak};
  if (same(now, base))
    return {true, Scaling::strong};
  return {false, Scaling::weak};
}

std::size_t best_point(const std::vector<ScalingPoint>& points) {
  TRAINWRIGHT_EXPECTS(!points.empty(), "points of a scaling curve");
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].throughput > points[best].throughput ||
        (points[i].throughput == points[best].throughput && points[i].devices < points[best].devices))
      best = i;
  return best;
}

}  // namespace trainwright::model
