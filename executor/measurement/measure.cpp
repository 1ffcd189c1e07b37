// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/measure.hpp"

namespace trainwright::executor {

Sampled take_samples(const SamplingRule& rule, const std::function<Attempt()>& take) {
  for (int i = 0; i < rule.warm_up; ++i)
    static_cast<void>(take());
  Sampled result;
  for (std::int64_t attempt = 0; attempt < rule.max_attempts; ++attempt) {
    const Attempt taken = take();
    result.samples.add(taken.sample);
    const SamplingState state{result.samples.valid(), result.samples.invalid_count(), taken.elapsed};
    if (rule.enough.is_met(state)) {
      result.converged = true;
      break;
    }
    if (rule.limit.is_met(state))
      break;
  }
  return result;
}

}  // namespace trainwright::executor
