// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/stopping.hpp"

#include "executor/measurement/statistics.hpp"

namespace trainwright::executor {

bool SampleCount::is_met(const SamplingState& state) const {
  return static_cast<std::int64_t>(state.valid.size()) >= count_;
}

bool MedianError::is_met(const SamplingState& state) const {
  if (static_cast<std::int64_t>(state.valid.size()) < min_count_)
    return false;
  const auto error = relative_error_of_median(state.valid);
  return error && *error <= error_;
}

bool TimeLimit::is_met(const SamplingState& state) const {
  const auto attempts = static_cast<std::int64_t>(state.valid.size()) + state.invalid;
  return state.elapsed >= limit_ && attempts >= min_attempts_;
}

}  // namespace trainwright::executor
