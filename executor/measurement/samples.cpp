// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/samples.hpp"

#include <algorithm>
#include <numeric>

#include "executor/measurement/statistics.hpp"

namespace trainwright::executor {

void Samples::add(const Sample& sample) {
  const bool has_time = sample.time.is_finite() && sample.time > model::Seconds::zero();
  const SampleFault fault = has_time ? sample.fault : SampleFault::no_time;
  if (fault == SampleFault::none)
    valid_.push_back(sample.time.count());
  else
    ++faults_[static_cast<std::size_t>(fault)];
}

std::int64_t Samples::invalid_count() const {
  return std::accumulate(faults_.begin(), faults_.end(), std::int64_t{0});
}

std::string Samples::fault_text() const {
  const std::int64_t invalid = invalid_count();
  if (invalid == 0)
    return {};
  const std::int64_t all = invalid + static_cast<std::int64_t>(valid_.size());
  std::string text = std::to_string(invalid) + " of " + std::to_string(all) + " samples do not count:";
  std::string_view separator = " ";
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (faults_[i] == 0)
      continue;
    text += std::string(separator) + std::to_string(faults_[i]) + " " + std::string(kSampleFaultWords[i]);
    separator = ", ";
  }
  return text;
}

model::SampleSummary summarize(const Samples& samples, bool converged) {
  const std::span<const double> valid = samples.valid();
  model::SampleSummary summary;
  summary.count = static_cast<std::int64_t>(valid.size());
  summary.invalid = samples.invalid_count();
  summary.converged = converged;
  if (valid.empty())
    return summary;
  summary.median_s = *median(valid);
  summary.min_s = *std::min_element(valid.begin(), valid.end());
  summary.max_s = *std::max_element(valid.begin(), valid.end());
  summary.noise = relative_noise(valid).value_or(0.0);
  return summary;
}

}  // namespace trainwright::executor
