// From steps to a whole job: how many steps a goal needs, what the wall clock shows beside them, how often a learning
// rate schedule is advanced.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/units/units.hpp"

namespace trainwright::model {

/// Steps that see `samples` once: samples / global batch, rounded up. Both above 0.
[[nodiscard]] std::int64_t steps_for_samples(std::int64_t samples, std::int64_t global_batch);

struct JobTime {
  Seconds start = Seconds::zero();
  Seconds step = Seconds::zero();
  std::int64_t steps = 0;
  Seconds evaluation = Seconds::zero();  ///< one
  std::int64_t evaluations = 0;
  Seconds save = Seconds::zero();  ///< that the step waits for, one
  std::int64_t saves = 0;
  [[nodiscard]] Seconds in_steps() const { return step * static_cast<double>(steps); }
  [[nodiscard]] Seconds total() const;
};

/// "71 % of the wall time is outside the step" where that is a tenth or more of `wall`; what is not in `known` is said
/// to be unexplained.
[[nodiscard]] std::optional<std::string> time_outside_steps(const JobTime& known, Seconds wall);

/// A schedule of `steps` optimizer steps whose scheduler is advanced once per process (or micro-batch) and step.
struct SchedulerCalls {
  std::int64_t calls = 0;    ///< advances until the last optimizer step
  std::int64_t ends_at = 0;  ///< optimizer step at which a schedule of `steps` advances is over
};
[[nodiscard]] SchedulerCalls scheduler_calls(std::int64_t steps, int calls_per_step);

}  // namespace trainwright::model
