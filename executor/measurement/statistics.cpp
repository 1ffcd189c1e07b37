// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

// Makes the median absolute deviation an estimate of the standard deviation of normal data: 1 / Phi^-1(3/4).
constexpr double kMadToDeviation = 1.4826;

}  // namespace

std::optional<double> quantile(std::span<const double> samples, double q) {
  TRAINWRIGHT_EXPECTS(q >= 0.0 && q <= 1.0, std::to_string(q));
  if (samples.empty())
    return std::nullopt;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

std::optional<double> median(std::span<const double> samples) {
  return quantile(samples, 0.5);
}

std::optional<double> mean(std::span<const double> samples) {
  if (samples.empty())
    return std::nullopt;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

std::optional<double> sample_deviation(std::span<const double> samples) {
  if (samples.size() < 2)
    return std::nullopt;
  const double center = *mean(samples);
  double squares = 0.0;
  for (const double sample : samples)
    squares += (sample - center) * (sample - center);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

std::optional<double> median_absolute_deviation(std::span<const double> samples) {
  if (samples.size() < 2)
    return std::nullopt;
  const double center = *median(samples);
  std::vector<double> distances(samples.size());
  std::transform(samples.begin(), samples.end(), distances.begin(),
                 [center](double sample) { return std::fabs(sample - center); });
  return median(distances);
}

std::optional<double> relative_noise(std::span<const double> samples) {
  const std::optional<double> deviation = median_absolute_deviation(samples);
  if (!deviation || !(*median(samples) > 0.0))
    return std::nullopt;
  return kMadToDeviation * *deviation / *median(samples);
}

std::optional<double> relative_error_of_median(std::span<const double> samples) {
  const std::optional<double> noise = relative_noise(samples);
  if (!noise)
    return std::nullopt;
  return std::sqrt(std::numbers::pi / 2.0) * *noise / std::sqrt(static_cast<double>(samples.size()));
}

}  // namespace trainwright::executor
