// SPDX-License-Identifier: Apache-2.0
#include "model/validation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/base/contract.hpp"

namespace trainwright::model::validation {
namespace {

constexpr std::size_t kFewestForRanks = 3;
constexpr double kTail = 0.9;

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty())
    return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> magnitudes(const std::vector<double>& values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values)
    result.push_back(std::abs(value));
  return result;
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = 0.5 * static_cast<double>(begin + end - 1);
    begin = end;
  }
  return ranks;
}

template <class Key>
std::vector<std::string> distinct(const std::vector<RowResult>& rows, Key key) {
  std::vector<std::string> names;
  for (const RowResult& row : rows)
    if (std::find(names.begin(), names.end(), key(row)) == names.end())
      names.push_back(key(row));
  return names;
}

Summary summary_without_sources(const std::vector<RowResult>& rows) {
  Summary s;
  std::vector<double> errors;
  std::vector<double> measured;
  std::vector<double> predicted;
  std::vector<double> memory;
  std::vector<double> points;
  std::vector<double> inside;
  for (const RowResult& row : rows) {
    if (row.calibrates)
      continue;
    ++s.rows;
    s.covered += row.skipped.empty() ? 1 : 0;
    if (const std::optional<double> error = row.error()) {
      errors.push_back(*error);
      measured.push_back(*row.measured_s);
      predicted.push_back(*row.predicted_s);
      if (row.low_s && row.high_s)
        inside.push_back(*row.measured_s >= *row.low_s && *row.measured_s <= *row.high_s ? 1.0 : 0.0);
    }
    if (const auto memory_error = row.memory_error())
      memory.push_back(std::abs(*memory_error));
    if (row.efficiency_measured_pct && row.efficiency_predicted_pct)
      points.push_back(std::abs(*row.efficiency_predicted_pct - *row.efficiency_measured_pct));
  }
  s.mape = mean(magnitudes(errors));
  s.median_abs_error = quantile(magnitudes(errors), 0.5);
  s.p90_abs_error = quantile(magnitudes(errors), kTail);
  s.bias = mean(errors);
  s.spearman = rank_correlation(measured, predicted);
  s.interval_coverage = mean(inside);
  s.memory_rows = memory.size();
  s.memory_median_abs_error = quantile(memory, 0.5);
  s.memory_p90_abs_error = quantile(memory, 0.9);
  s.efficiency_rows = points.size();
  s.efficiency_mean_abs_points = mean(points);
  return s;
}

}  // namespace

std::optional<double> RowResult::error() const {
  if (!measured_s || !predicted_s)
    return std::nullopt;
  return *predicted_s / *measured_s - 1.0;
}

std::optional<double> RowResult::memory_error() const {
  if (!memory_measured_bytes || !memory_predicted_bytes)
    return std::nullopt;
  return *memory_predicted_bytes / *memory_measured_bytes - 1.0;
}

std::optional<double> quantile(std::vector<double> values, double q) {
  if (values.empty())
    return std::nullopt;
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = position - static_cast<double>(below);
  return values[below] * (1.0 - share) + values[above] * share;
}

std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  TRAINWRIGHT_EXPECTS(a.size() == b.size(), "pairs");
  if (a.size() < kFewestForRanks)
    return std::nullopt;
  const std::vector<double> x = ranks_of(a);
  const std::vector<double> y = ranks_of(b);
  const double middle = 0.5 * static_cast<double>(a.size() - 1);
  double xy = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  if (xx == 0.0 || yy == 0.0)
    return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

Summary summarise(const std::vector<RowResult>& rows) {
  Summary s = summary_without_sources(rows);
  std::vector<double> medians;
  for (const std::string& source : sources_of(rows))
    if (const std::optional<double> median = summary_without_sources(of_source(rows, source)).median_abs_error)
      medians.push_back(*median);
  s.macro_median = mean(medians);
  return s;
}

std::vector<RowResult> of_source(const std::vector<RowResult>& rows, const std::string& source) {
  std::vector<RowResult> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const RowResult& row) { return row.source == source; });
  return result;
}

std::vector<RowResult> of_group(const std::vector<RowResult>& rows, const std::string& group) {
  std::vector<RowResult> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const RowResult& row) { return row.group == group; });
  return result;
}

std::vector<std::string> sources_of(const std::vector<RowResult>& rows) {
  return distinct(rows, [](const RowResult& row) { return row.source; });
}

std::vector<std::string> groups_of(const std::vector<RowResult>& rows) {
  return distinct(rows, [](const RowResult& row) { return row.group; });
}

std::vector<JobChoice> job_choices(const std::vector<RowResult>& rows, std::size_t least) {
  std::vector<JobChoice> choices;
  for (const std::string& source : sources_of(rows)) {
    const std::vector<RowResult> own = of_source(rows, source);
    for (const std::string& job : distinct(own, [](const RowResult& row) { return row.job; })) {
      JobChoice choice{source, job, 0, 0.0};
      const RowResult* taken = nullptr;
      const RowResult* best = nullptr;
      const auto each = [](double seconds, const RowResult& row) { return seconds / row.sequences; };
      for (const RowResult& row : own) {
        if (row.job != job || job.empty() || !row.measured_s || !row.predicted_s || row.sequences <= 0.0 ||
            row.calibrates)
          continue;
        ++choice.layouts;
        if (taken == nullptr || each(*row.predicted_s, row) < each(*taken->predicted_s, *taken))
          taken = &row;
        if (best == nullptr || each(*row.measured_s, row) < each(*best->measured_s, *best))
          best = &row;
      }
      if (choice.layouts < least)
        continue;
      choice.loss = each(*taken->measured_s, *taken) / each(*best->measured_s, *best) - 1.0;
      choices.push_back(std::move(choice));
    }
  }
  return choices;
}

std::optional<double> good_choices(const std::vector<JobChoice>& choices, double loss) {
  if (choices.empty())
    return std::nullopt;
  const auto good =
      std::count_if(choices.begin(), choices.end(), [loss](const JobChoice& choice) { return choice.loss <= loss; });
  return static_cast<double>(good) / static_cast<double>(choices.size());
}

}  // namespace trainwright::model::validation
