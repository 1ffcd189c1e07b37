// SPDX-License-Identifier: Apache-2.0
#include "model/report/calibration_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "model/cost/task_duration.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr std::size_t kWorstShown = 8;

std::string percent(double fraction) {
  return (fraction >= 0.0 ? "+" : "") + format_fixed(100.0 * fraction, 1) + " %";
}

/// "+12.0 %", or "x 386" where percents stop being readable.
std::string change(double before, double now) {
  if (before == 0.0)
    return {};
  const double ratio = now / before;
  return ratio > 10.0 || ratio < 0.1 ? "x " + format_significant(ratio, 3) : percent(ratio - 1.0);
}

/// Constants in seconds by their name.
std::string value_text(const std::string& name, double value) {
  return name.ends_with("_s") ? format(Seconds(value), 4) : format_significant(value, 4);
}

/// Whole steps, and those of the rest that fit worst: a long list hides them.
std::vector<Residual> to_show(const std::vector<Residual>& all) {
  const auto off = [](const Residual& residual) {
    return std::abs(std::log(residual.predicted_s / residual.measured_s));
  };
  std::vector<Residual> steps;
  std::vector<Residual> others;
  for (const Residual& residual : all)
    (residual.what.starts_with("step ") || residual.what.starts_with("run ") ? steps : others).push_back(residual);
  std::stable_sort(others.begin(), others.end(), [&](const Residual& a, const Residual& b) { return off(a) > off(b); });
  if (others.size() > kWorstShown)
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(kWorstShown), others.end());
  steps.insert(steps.end(), others.begin(), others.end());
  return steps;
}

std::string residual_line(const Calibration& calibration) {
  std::vector<double> errors;
  for (const Residual& residual : calibration.residuals)
    errors.push_back(std::abs(residual.predicted_s / residual.measured_s - 1.0));
  if (errors.empty())
    return {};
  std::sort(errors.begin(), errors.end());
  return "  " + std::to_string(errors.size()) + " residuals: median " +
         format_fixed(100.0 * errors[errors.size() / 2], 1) + " %, largest " + format_fixed(100.0 * errors.back(), 1) +
         " %\n";
}

/// Time per call of the smallest and rate of the largest message, by kind and number of ranks.
void add_collectives(const Measurement& measurement, TextTable& table) {
  struct Ends {
    const CollectivePoint* smallest = nullptr;
    const CollectivePoint* largest = nullptr;
    std::int64_t points = 0;
  };
  std::map<std::pair<int, int>, Ends> groups;
  for (const CollectivePoint& point : measurement.collectives) {
    Ends& ends = groups[{static_cast<int>(point.kind), point.ranks}];
    ++ends.points;
    if (ends.smallest == nullptr || point.bytes < ends.smallest->bytes)
      ends.smallest = &point;
    if (ends.largest == nullptr || point.bytes > ends.largest->bytes)
      ends.largest = &point;
  }
  for (const auto& [key, ends] : groups) {
    const CollectivePoint& largest = *ends.largest;
    table.add_row(
        {std::string(to_word(static_cast<CollectiveKind>(key.first))) + ", " + std::to_string(key.second) + " ranks",
         std::to_string(ends.points),
         format(Seconds(ends.smallest->time.median_s)) + " for " + format(ByteCount(ends.smallest->bytes)) + ", " +
             format(to_bytes(ByteCount(largest.bytes)) / Seconds(largest.time.median_s)) + " for " +
             format(ByteCount(largest.bytes))});
  }
}

}  // namespace

std::string calibration_report(const Calibration& calibration) {
  TextTable constants({"Constant", "before", "now", "change", "from"});
  constants.left(4);
  for (const FittedConstant& constant : calibration.constants)
    constants.add_row({constant.name, value_text(constant.name, constant.before),
                       value_text(constant.name, constant.value), change(constant.before, constant.value),
                       constant.origin});
  std::string text = constants.text();
  if (!calibration.residuals.empty()) {
    TextTable residuals({"Measured against the fit", "measured", "predicted", "error"});
    const std::vector<Residual> shown = to_show(calibration.residuals);
    for (const Residual& residual : shown)
      residuals.add_row({residual.what, format(Seconds(residual.measured_s)), format(Seconds(residual.predicted_s)),
                         percent(residual.predicted_s / residual.measured_s - 1.0)});
    text += "\n" + residuals.text();
    if (shown.size() < calibration.residuals.size())
      text += "  (whole steps and the worst " + std::to_string(kWorstShown) + " of the rest; the file has all)\n";
    text += residual_line(calibration);
  }
  if (calibration.step_log_error > 0.0)
    text += "  whole steps: typical error " + format_fixed(100.0 * calibration.step_log_error, 1) + " %\n";
  if (const std::string missing = missing_conditions(calibration.environment); !missing.empty())
    text +=
        "  incomplete: the record does not state the " + missing + "; it cannot be told from one of capped devices\n";
  return text;
}

std::string measurement_report(const Measurement& measurement) {
  TextTable table({"Measured", "points", "result"});
  table.left(2);
  const auto count = [](const auto& points) { return std::to_string(points.size()); };
  if (!measurement.gemm.empty()) {
    FlopsPerSecond best = FlopsPerSecond::zero();
    for (const GemmPoint& point : measurement.gemm)
      best = std::max(best, flops(point.work) / Seconds(point.time.median_s));
    table.add_row({"matrix products", count(measurement.gemm), "up to " + format(best) + " a rank"});
  }
  if (!measurement.memory.empty()) {
    BytesPerSecond best = BytesPerSecond::zero();
    for (const MemoryPoint& point : measurement.memory)
      best = std::max(best, to_bytes(ByteCount(point.bytes)) / Seconds(point.time.median_s));
    table.add_row({"memory traffic", count(measurement.memory), "up to " + format(best) + " a rank"});
  }
  add_collectives(measurement, table);
  if (!measurement.transfers.empty()) {
    BytesPerSecond best = BytesPerSecond::zero();
    for (const TransferPoint& point : measurement.transfers)
      best = std::max(best, to_bytes(ByteCount(point.bytes)) / Seconds(point.time.median_s));
    table.add_row({"send and receive", count(measurement.transfers), "up to " + format(best)});
  }
  if (!measurement.storage.empty())
    table.add_row({"storage", count(measurement.storage), ""});
  if (!measurement.interference.empty())
    table.add_row({"compute beside communication", count(measurement.interference), ""});
  std::int64_t unsettled = 0;
  const auto add_unsettled = [&](const auto& points) {
    for (const auto& point : points)
      unsettled += point.time.converged ? 0 : 1;
  };
  add_unsettled(measurement.gemm);
  add_unsettled(measurement.memory);
  add_unsettled(measurement.collectives);
  add_unsettled(measurement.transfers);
  add_unsettled(measurement.storage);
  std::string text = table.text();
  if (unsettled > 0)
    text += "  " + std::to_string(unsettled) + " points were still noisy when their time was over\n";
  return text;
}

}  // namespace trainwright::model
