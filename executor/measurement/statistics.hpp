// Statistics of samples, each defined in docs/measuring.md. All take the samples in any order and leave them alone; all
// are empty where the number of samples does not allow an answer. Values must be finite (Samples sees to it).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace trainwright::executor {

/// The middle sample, or the mean of the two middle ones. Empty for no samples.
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

/// Linear between the two nearest ranks: position q (n - 1) in the sorted samples, from 0. 0 <= q <= 1. Empty for none.
[[nodiscard]] std::optional<double> quantile(std::span<const double> samples, double q);

/// Mean; empty for no samples.
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);

/// Standard deviation with divisor n - 1, in two passes. Empty below two samples.
[[nodiscard]] std::optional<double> sample_deviation(std::span<const double> samples);

/// Median of the distances from the median. Empty below two samples, which say nothing about spread.
[[nodiscard]] std::optional<double> median_absolute_deviation(std::span<const double> samples);

/// 1.4826 MAD / median: a standard deviation relative to the median, for normal data, that outliers do not move. Empty
/// below two samples or when the median is not above zero.
[[nodiscard]] std::optional<double> relative_noise(std::span<const double> samples);

/// How far the median itself may be off, relative to it: sqrt(pi / 2) relative_noise / sqrt(n), the standard error of
/// the median of normal data for large n. Empty like relative_noise.
[[nodiscard]] std::optional<double> relative_error_of_median(std::span<const double> samples);

}  // namespace trainwright::executor
