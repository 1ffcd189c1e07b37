// When there are enough samples: pure objects that see numbers only, so that they can be tried on made-up sequences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "model/units/units.hpp"

namespace trainwright::executor {

/// What a criterion may look at.
struct SamplingState {
  std::span<const double> valid;  ///< times of the valid samples
  std::int64_t invalid = 0;
  model::Seconds elapsed = model::Seconds::zero();  ///< since the first sample was begun
};

class StoppingCriterion {
 public:
  virtual ~StoppingCriterion() = default;
  [[nodiscard]] virtual bool is_met(const SamplingState& state) const = 0;
};

/// A number of valid samples.
class SampleCount final : public StoppingCriterion {
 public:
  explicit SampleCount(std::int64_t count) : count_(count) {}
  [[nodiscard]] bool is_met(const SamplingState& state) const override;

 private:
  std::int64_t count_;
};

/// The relative error of the median is at most `error`, judged from at least `min_count` valid samples. Identical
/// samples are an error of 0. Noise that does not settle never meets it: pair it with a TimeLimit.
class MedianError final : public StoppingCriterion {
 public:
  MedianError(double error, std::int64_t min_count) : error_(error), min_count_(min_count) {}
  [[nodiscard]] bool is_met(const SamplingState& state) const override;

 private:
  double error_;
  std::int64_t min_count_;
};

/// Time is up, counting invalid samples too; but not before `min_attempts` samples of either kind were taken, so that
/// one slow sample is not the end.
class TimeLimit final : public StoppingCriterion {
 public:
  TimeLimit(model::Seconds limit, std::int64_t min_attempts) : limit_(limit), min_attempts_(min_attempts) {}
  [[nodiscard]] bool is_met(const SamplingState& state) const override;

 private:
  model::Seconds limit_;
  std::int64_t min_attempts_;
};

}  // namespace trainwright::executor
