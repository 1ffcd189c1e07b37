// Samples of one quantity: times that count, and how many were thrown away and why. Raw values are kept, summaries
// derived.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/calibration/measurement.hpp"
#include "model/units/units.hpp"

namespace trainwright::executor {

/// Why a sample does not count.
enum class SampleFault : std::uint8_t {
  none,
  preempted,     ///< the thread waited for a processor too long
  stolen,        ///< the virtual machine's processors were taken away
  wrong_result,  ///< the data were wrong afterwards
  no_time,       ///< not a positive finite time
};
inline constexpr std::array<std::string_view, 5> kSampleFaultWords{
    {"none", "preempted", "stolen", "wrong result", "no time"}};
[[nodiscard]] constexpr std::string_view to_word(SampleFault fault) {
  return kSampleFaultWords[static_cast<std::size_t>(fault)];
}

struct Sample {
  model::Seconds time = model::Seconds::zero();
  SampleFault fault = SampleFault::none;
};

class Samples {
 public:
  /// A time that is not positive and finite is counted as a fault whatever its caller says.
  void add(const Sample& sample);

  /// Valid times in seconds, in the order they were taken.
  [[nodiscard]] std::span<const double> valid() const { return valid_; }
  [[nodiscard]] std::int64_t invalid_count() const;
  [[nodiscard]] std::int64_t count(SampleFault fault) const { return faults_[static_cast<std::size_t>(fault)]; }

  /// "3 of 10 samples do not count: 2 preempted, 1 stolen"; "" when all count.
  [[nodiscard]] std::string fault_text() const;

 private:
  std::vector<double> valid_;
  std::array<std::int64_t, kSampleFaultWords.size()> faults_{};
};

/// `converged`: whether the stopping rule was met before the limit. With one valid sample the noise is 0, which the
/// count tells from a quiet measurement; with none all times are 0.
[[nodiscard]] model::SampleSummary summarize(const Samples& samples, bool converged);

}  // namespace trainwright::executor
