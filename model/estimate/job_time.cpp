// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/job_time.hpp"

#include "model/base/contract.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr double kWorthSaying = 0.1;

}  // namespace

std::int64_t steps_for_samples(std::int64_t samples, std::int64_t global_batch) {
  TRAINWRIGHT_EXPECTS(samples > 0 && global_batch > 0, "samples and batch");
  return (samples + global_batch - 1) / global_batch;
}

Seconds JobTime::total() const {
  return start + in_steps() + evaluation * static_cast<double>(evaluations) + save * static_cast<double>(saves);
}

std::optional<std::string> time_outside_steps(const JobTime& known, Seconds wall) {
  TRAINWRIGHT_EXPECTS(wall > Seconds::zero(), "wall time");
  const double outside = 1.0 - known.in_steps() / wall;
  if (outside < kWorthSaying)
    return std::nullopt;
  const double unexplained = 1.0 - known.total() / wall;
  std::string text = format_fixed(100.0 * outside, 0) + " % of the wall time is outside the step";
  if (unexplained > kWorthSaying)
    text += "; " + format(wall - known.total()) + " are neither start, evaluation nor checkpoints";
  return text;
}

SchedulerCalls scheduler_calls(std::int64_t steps, int calls_per_step) {
  TRAINWRIGHT_EXPECTS(steps > 0 && calls_per_step > 0, "steps and calls");
  return {steps * calls_per_step, steps / calls_per_step};
}

}  // namespace trainwright::model
