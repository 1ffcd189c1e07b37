// From the table of an nccl-tests log to points of a measurement.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "model/io/importers/nccl_tests.hpp"
#include "model/io/importers/text_lines.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

// The ratio of the bandwidths at the largest size, where rounding to two decimals hides least.
std::optional<double> bandwidth_ratio(const NcclTestsLog& log) {
  const NcclTestsTime* best = nullptr;
  for (const NcclTestsRow& row : log.rows)
    for (const NcclTestsTime& time : row.times)
      if (best == nullptr || time.algorithm_bandwidth > best->algorithm_bandwidth)
        best = &time;
  constexpr double kEnough = 1e9;  // 1 GB/s printed to 0.01: within 1 %
  if (best == nullptr || best->algorithm_bandwidth < kEnough)
    return std::nullopt;
  return best->bus_bandwidth / best->algorithm_bandwidth;
}

// Only all-reduce has a ratio above 1, and there the ratio tells the ranks: 2 (n - 1) / n = r, n = 2 / (2 - r).
std::optional<int> ranks_of_ratio(double ratio) {
  constexpr int kMostTold = 64;  // beyond it neighbors differ by less than the printed digits
  if (ratio <= 1.0 || ratio >= 2.0)
    return std::nullopt;
  const double n = 2.0 / (2.0 - ratio);
  const double whole = std::round(n);
  const bool fits = std::abs(bus_bandwidth_factor(CollectiveKind::all_reduce, static_cast<int>(whole)) - ratio) <
                    0.5 * 2.0 / (whole * (whole + 1.0));
  return whole <= kMostTold && fits ? std::optional<int>(static_cast<int>(whole)) : std::nullopt;
}

SampleSummary summary_of(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto median_of = [](const std::vector<double>& sorted) {
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  };
  SampleSummary time;
  time.count = static_cast<std::int64_t>(seconds.size());
  time.median_s = median_of(seconds);
  time.min_s = seconds.front();
  time.max_s = seconds.back();
  std::vector<double> deviations;
  for (const double value : seconds)
    deviations.push_back(std::abs(value - time.median_s));
  std::sort(deviations.begin(), deviations.end());
  constexpr double kNormal = 1.4826;  // docs/measuring.md
  time.noise = kNormal * median_of(deviations) / time.median_s;
  return time;
}

}  // namespace

std::optional<Measurement> measurement_of(const NcclTestsLog& log, const NcclTestsOptions& options,
                                          const std::string& source, Diagnostics& diagnostics) {
  Measurement measurement;
  const std::optional<double> ratio = bandwidth_ratio(log);
  std::optional<CollectiveKind> kind = options.kind ? options.kind : log.kind;
  if (!kind && ratio && *ratio > 1.02) {
    kind = CollectiveKind::all_reduce;
    measurement.notes.emplace_back("the log does not name its collective: all_reduce, since busbw is above algbw");
  }
  std::optional<int> ranks = options.ranks;
  if (!ranks && log.ranks > 0)
    ranks = log.ranks;
  if (!ranks && ratio && kind == CollectiveKind::all_reduce) {
    ranks = ranks_of_ratio(*ratio);
    if (ranks)
      measurement.notes.push_back("the log does not list its ranks: " + std::to_string(*ranks) +
                                  ", from busbw / algbw = 2 (n - 1) / n");
  }
  std::optional<int> nodes = options.nodes;
  if (!nodes && !log.hosts.empty())
    nodes = static_cast<int>(log.hosts.size());
  const auto missing = [&](const std::string& option, const std::string& what) {
    diagnostics.add_error(source, {}, "does not tell " + what, "add " + option);
  };
  if (!kind)
    missing("--collective, for example all_gather", "which collective was measured");
  if (!ranks)
    missing("--ranks", "how many ranks took part");
  if (!nodes)
    missing("--nodes", "on how many nodes the ranks were");
  if (kind && ranks && ratio) {
    const double factor = bus_bandwidth_factor(*kind, *ranks);
    if (std::abs(factor - *ratio) > 0.03 * factor)
      diagnostics.add_error(source, {},
                            "busbw / algbw is " + format_fixed(*ratio, 3) + "; " + std::string(to_word(*kind)) +
                                " on " + std::to_string(*ranks) + " ranks has " + format_fixed(factor, 3),
                            "the collective or the number of ranks is another");
  }
  if (ranks && nodes && (*nodes > *ranks || *nodes < 1))
    diagnostics.add_error(source, {},
                          std::to_string(*nodes) + " nodes cannot hold " + std::to_string(*ranks) + " ranks");
  if (diagnostics.has_errors())
    return std::nullopt;

  std::map<std::int64_t, std::vector<double>> times;
  std::map<std::int64_t, std::int64_t> wrong;
  for (const NcclTestsRow& row : log.rows)
    for (const NcclTestsTime& time : row.times)
      if (time.wrong > 0)
        ++wrong[row.bytes];
      else
        times[row.bytes].push_back(time.seconds);
  for (const auto& [bytes, count] : wrong)
    measurement.notes.push_back(std::to_string(bytes) + " B: " + std::to_string(count) +
                                " times left out, their results were wrong");
  for (auto& [bytes, seconds] : times) {
    if (bytes == 0) {
      measurement.notes.emplace_back("rows of 0 B left out");
      continue;
    }
    SampleSummary time = summary_of(seconds);
    time.invalid = wrong.count(bytes) > 0 ? wrong.at(bytes) : 0;
    measurement.collectives.push_back({*kind, *ranks, *nodes, bytes, time});
  }
  if (measurement.collectives.empty()) {
    diagnostics.add_error(source, {}, "holds no row that can be used", joined(measurement.notes, "; "));
    return std::nullopt;
  }
  if (!log.has_summary) {
    measurement.partial = true;
    measurement.notes.emplace_back("the log ends without its summary: it may be cut");
  }
  measurement.notes.emplace_back(
      "each sample is the mean over the iterations of one row of nccl-tests, out of place and in place");
  measurement.environment.host = log.hosts.empty() ? "not in the log" : joined(log.hosts);
  measurement.environment.date = "not in the log";
  measurement.environment.processor = log.device.empty() ? "not in the log" : log.device;
  measurement.environment.backend = "nccl";
  if (!log.version.empty())
    measurement.environment.versions.emplace_back("nccl", log.version);
  measurement.environment.command = "nccl-tests, imported from " + source;
  return measurement;
}

}  // namespace trainwright::model
