// Stopping criteria and the measuring loop on made-up sequences and a clock moved by hand.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/stopping.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "executor/measurement/clock.hpp"
#include "executor/measurement/measure.hpp"

namespace trainwright::executor {
namespace {

SamplingState state(const std::vector<double>& valid, std::int64_t invalid = 0, double elapsed = 0.0) {
  return {valid, invalid, model::Seconds(elapsed)};
}

TEST(SampleCount, CountsValidSamplesOnly) {
  const SampleCount three(3);
  EXPECT_FALSE(three.is_met(state({1.0, 1.0}, 10)));
  EXPECT_TRUE(three.is_met(state({1.0, 1.0, 1.0})));
}

TEST(MedianError, NeedsBothCountAndQuiet) {
  const MedianError rule(0.02, 5);
  EXPECT_FALSE(rule.is_met(state({1.0, 1.0, 1.0, 1.0})));
  EXPECT_TRUE(rule.is_met(state({1.0, 1.0, 1.0, 1.0, 1.0})));
  // MAD 0.01, median 1.02: 1.2533 * 1.4826 * 0.0098 / sqrt(5) = 0.0081
  EXPECT_TRUE(rule.is_met(state({1.0, 1.01, 1.02, 1.03, 1.04})));
  // MAD 0.1, median 1.2: 1.2533 * 1.4826 * 0.0833 / sqrt(5) = 0.069
  EXPECT_FALSE(rule.is_met(state({1.0, 1.1, 1.2, 1.3, 1.4})));
}

TEST(MedianError, TakesAMajorityOfEqualSamplesForQuiet) {
  EXPECT_TRUE(MedianError(0.02, 5).is_met(state({1.0, 1.0, 1.0, 7.0, 9.0})));
}

TEST(MedianError, IsNeverMetByNothing) {
  EXPECT_FALSE(MedianError(0.5, 0).is_met(state({}, 1000)));
}

TEST(TimeLimit, WaitsForItsAttemptsOfEitherKind) {
  const TimeLimit limit(model::Seconds(1.0), 3);
  EXPECT_FALSE(limit.is_met(state({1.0, 1.0, 1.0}, 0, 0.9)));
  EXPECT_FALSE(limit.is_met(state({1.0}, 1, 5.0)));
  EXPECT_TRUE(limit.is_met(state({1.0}, 2, 1.0)));
}

/// Takes samples from a list, going round, and moves the clock by each.
class Sequence {
 public:
  explicit Sequence(std::vector<Sample> samples) : samples_(std::move(samples)) {}
  Attempt next() {
    const Sample sample = samples_[taken_++ % samples_.size()];
    clock_.advance(model::Seconds(1.0));
    return {sample, clock_.now()};
  }
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  std::vector<Sample> samples_;
  VirtualClock clock_;
  std::size_t taken_ = 0;
};

Sample good(double seconds) {
  return {model::Seconds(seconds), SampleFault::none};
}
Sample bad() {
  return {model::Seconds(1.0), SampleFault::preempted};
}

TEST(TakeSamples, ForgetsTheWarmUpAndStopsWhenConverged) {
  Sequence sequence({good(100.0), good(100.0), good(1.0), good(1.0), good(1.0), good(1.0)});
  const Sampled result =
      take_samples({2, MedianError(0.01, 3), TimeLimit(model::Seconds(1000.0), 1)}, [&] { return sequence.next(); });
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(sequence.taken(), 5U);
  EXPECT_EQ(std::vector<double>(result.samples.valid().begin(), result.samples.valid().end()),
            std::vector<double>(3, 1.0));
}

TEST(TakeSamples, NoiseThatNeverSettlesEndsAtTheLimit) {
  Sequence sequence({good(1.0), good(2.0), good(3.0), good(4.0)});
  const Sampled result =
      take_samples({0, MedianError(0.01, 3), TimeLimit(model::Seconds(20.0), 1)}, [&] { return sequence.next(); });
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.samples.valid().size(), 20U);
}

TEST(TakeSamples, InvalidSamplesOnlyEndAtTheLimitAndAreCounted) {
  Sequence sequence({bad()});
  const Sampled result =
      take_samples({0, MedianError(0.01, 3), TimeLimit(model::Seconds(10.0), 1)}, [&] { return sequence.next(); });
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(result.samples.valid().empty());
  EXPECT_EQ(result.samples.count(SampleFault::preempted), 10);
}

TEST(TakeSamples, InvalidSamplesDoNotSpoilTheOthers) {
  Sequence sequence({good(1.0), bad(), good(1.0), bad()});
  const Sampled result =
      take_samples({0, SampleCount(4), TimeLimit(model::Seconds(100.0), 1)}, [&] { return sequence.next(); });
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.samples.invalid_count(), 3);
}

TEST(TakeSamples, AClockThatStandsStillDoesNotKeepItForEver) {
  int taken = 0;
  const auto frozen = [&] {
    ++taken;
    return Attempt{bad(), model::Seconds::zero()};
  };
  const SampleCount enough(1);
  const TimeLimit limit(model::Seconds(1.0), 1);
  const Sampled result = take_samples({0, enough, limit, 50}, frozen);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(taken, 50);
}

}  // namespace
}  // namespace trainwright::executor
