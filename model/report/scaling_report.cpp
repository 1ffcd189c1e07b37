// SPDX-License-Identifier: Apache-2.0
#include "model/report/scaling_report.hpp"

#include <algorithm>
#include <array>

#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

std::string percent(double share) {
  return format_fixed(100.0 * share, 1);
}

// "exposed_dp 6.1, bubble 2.0": the two largest, from a tenth of a point on.
std::string causes(const CurvePoint& point) {
  std::array<std::size_t, kStepPartCount> order{};
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return point.lost[a] > point.lost[b]; });
  std::string text;
  for (std::size_t i = 0; i < 2; ++i)
    if (point.lost[order[i]] >= 0.001)
      text += (text.empty() ? "" : ", ") + std::string(kStepPartWords[order[i]]) + " " + percent(point.lost[order[i]]);
  return text.empty() ? "-" : text;
}

const CurvePoint& last_planned(const ScalingCurve& curve) {
  return *std::find_if(curve.points.rbegin(), curve.points.rend(),
                       [](const CurvePoint& point) { return point.problem.empty(); });
}

std::string curve_text(const ScalingCurve& curve) {
  const bool is_weak = curve.kind == Scaling::weak;
  std::string text = std::string(is_weak ? "Weak" : "Strong") + " scaling: the batch " +
                     (is_weak ? "grows with the GPUs\n" : "stays\n");
  TextTable table({"GPUs", "batch", "step", "90 % interval", "tokens/s", "efficiency %", "lost to, points"});
  table.left(6);
  for (const CurvePoint& point : curve.points) {
    if (!point.problem.empty()) {
      table.add_row({std::to_string(point.devices), "-", "-", "-", "-", "-", point.problem});
      continue;
    }
    table.add_row({std::to_string(point.devices), std::to_string(point.global_batch), format(point.step),
                   format(point.step_low) + " .. " + format(point.step_high), format_fixed(point.tokens_per_s, 0),
                   percent(point.efficiency),
                   causes(point) + (point.memory == MemoryVerdict::does_not_fit ? "; does not fit" : "")});
  }
  text += table.text();
  if (curve.knee)
    text += "  beyond " + std::to_string(curve.points[*curve.knee].devices) +
            " GPUs a further doubling buys less than " + format_fixed(100.0 * kWorthDoubling, 0) + " %\n";
  else if (curve.base)
    text += "  every doubling up to " + std::to_string(last_planned(curve).devices) + " GPUs buys at least " +
            format_fixed(100.0 * kWorthDoubling, 0) + " %\n";
  if (curve.largest)
    text += "  highest throughput: " + std::to_string(curve.points[*curve.largest].devices) + " GPUs\n";
  return text;
}

}  // namespace

std::string scaling_report(const std::vector<ScalingCurve>& curves) {
  std::string text;
  for (const ScalingCurve& curve : curves)
    text += (text.empty() ? "" : "\n") + curve_text(curve);
  return text;
}

}  // namespace trainwright::model
