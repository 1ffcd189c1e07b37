// SPDX-License-Identifier: Apache-2.0
#include "model/search/scaling.hpp"

#include <cmath>
#include <utility>

#include "model/search/search_space.hpp"

namespace trainwright::model {
namespace {

// The plan over so many devices, or why there is none.
std::pair<std::optional<Plan>, std::string> plan_over(const Plan& plan, Scaling kind, int devices) {
  const int replica = plan.layout.tp * plan.layout.pp * plan.layout.cp;
  if (devices % replica != 0)
    return {std::nullopt, "no multiple of the " + std::to_string(replica) + " GPUs of one replica"};
  const int dp = devices / replica;
  std::int64_t batch = plan.job.global_batch;
  if (kind == Scaling::weak) {
    if (batch % plan.layout.dp != 0)
      return {std::nullopt, "the batch does not divide by dp"};
    batch = batch / plan.layout.dp * dp;
  }
  Plan grown = plan_of_size(plan, devices, batch);
  grown.layout.dp = dp;
  const Diagnostics problems = check_plan(grown, "");
  for (const Diagnostic& problem : problems.list())
    if (problem.severity == Severity::error)
      return {std::nullopt, problem.message};
  return {std::move(grown), {}};
}

void set_against_base(CurvePoint& point, const Breakdown& parts, const CurvePoint& base, const Breakdown& base_parts) {
  point.efficiency = scaling_efficiency({base.devices, base.tokens_per_s}, {point.devices, point.tokens_per_s});
  // What the base would take for the work that a device has here.
  const double work = (static_cast<double>(point.global_batch) / point.devices) /
                      (static_cast<double>(base.global_batch) / base.devices);
  for (std::size_t i = 0; i < kStepPartCount; ++i)
    point.lost[i] = (parts[i] - work * base_parts[i]) / point.step.count();
}

void find_marks(ScalingCurve& curve) {
  std::optional<std::size_t> before;
  bool pays = true;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    if (!curve.points[i].problem.empty())
      continue;
    if (pays && before && gain_of_doubling(curve.points[*before], curve.points[i]) < kWorthDoubling) {
      curve.knee = before;
      pays = false;
    }
    if (!curve.largest || curve.points[i].tokens_per_s > curve.points[*curve.largest].tokens_per_s)
      curve.largest = i;
    before = i;
  }
}

}  // namespace

double gain_of_doubling(const CurvePoint& from, const CurvePoint& to) {
  const double doublings = std::log2(static_cast<double>(to.devices) / from.devices);
  return std::pow(to.tokens_per_s / from.tokens_per_s, 1.0 / doublings) - 1.0;
}

ScalingCurve scaling_curve(const Plan& plan, Scaling kind, const std::vector<int>& devices, const Estimator& estimator,
                           std::stop_token stop, const Progress& progress) {
  ScalingCurve curve;
  curve.kind = kind;
  Breakdown base_parts{};
  for (const int size : devices) {
    CurvePoint point;
    point.devices = size;
    auto [grown, problem] = plan_over(plan, kind, size);
    point.problem = std::move(problem);
    if (grown) {
      const std::optional<Estimate> estimate = estimator.estimate(*grown, stop, {});
      if (!estimate)
        break;
      point.global_batch = grown->job.global_batch;
      point.step = estimate->step;
      point.step_low = estimate->step_low;
      point.step_high = estimate->step_high;
      point.tokens_per_s = estimate->tokens_per_second;
      point.memory = estimate->memory.verdict;
      if (!curve.base) {
        curve.base = curve.points.size();
        base_parts = estimate->breakdown;
        set_against_base(point, estimate->breakdown, point, base_parts);
      } else {
        set_against_base(point, estimate->breakdown, curve.points[*curve.base], base_parts);
      }
    }
    curve.points.push_back(std::move(point));
    if (progress)
      progress(static_cast<double>(curve.points.size()) / static_cast<double>(devices.size()));
  }
  find_marks(curve);
  return curve;
}

}  // namespace trainwright::model
