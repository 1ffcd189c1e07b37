// Where measurements get the time from: the machine's steady clock, or one that tests move by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "model/units/units.hpp"

namespace trainwright::executor {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Time since some fixed moment; never goes back.
  [[nodiscard]] virtual model::Seconds now() const = 0;
};

class SteadyClock final : public Clock {
 public:
  [[nodiscard]] model::Seconds now() const override {
    return model::Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - origin_).count());
  }

 private:
  // Counting from here keeps the double's resolution below a nanosecond for a hundred days.
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
};

class VirtualClock final : public Clock {
 public:
  [[nodiscard]] model::Seconds now() const override { return now_; }
  void advance(model::Seconds duration) { now_ += duration; }

 private:
  model::Seconds now_ = model::Seconds::zero();
};

}  // namespace trainwright::executor
