// The measuring loop: warm up, take samples, stop when the criterion says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "executor/measurement/samples.hpp"
#include "executor/measurement/stopping.hpp"

namespace trainwright::executor {

struct SamplingRule {
  int warm_up = 1;                        ///< samples taken and forgotten first
  const StoppingCriterion& enough;        ///< then the measurement has converged
  const StoppingCriterion& limit;         ///< then it ends without
  std::int64_t max_attempts = 1'000'000;  ///< a clock that stands still must not keep us for ever
};

struct Sampled {
  Samples samples;
  bool converged = false;
};

/// One sample, and the time that has passed since the first one was begun. Ranks that measure together must get the
/// same values on all of them (RankContext), since each decides for itself whether to go on.
struct Attempt {
  Sample sample;
  model::Seconds elapsed = model::Seconds::zero();
};

[[nodiscard]] Sampled take_samples(const SamplingRule& rule, const std::function<Attempt()>& take);

}  // namespace trainwright::executor
