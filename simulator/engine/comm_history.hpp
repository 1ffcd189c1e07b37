// When communication ran on a rank: times at which it began and ceased, taking turns. What it costs the rank's compute
// is worked out from this (segment.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace trainwright::simulator {

class CommHistory {
 public:
  /// One more communication runs from `time` on; true if the rank had none.
  bool begin(double time) {
    if (++running_ > 1)
      return false;
    switches_.push_back(time);
    return true;
  }
  /// One fewer from `time` on; true if the rank has none now.
  bool end(double time) {
    if (--running_ > 0)
      return false;
    switches_.push_back(time);
    return true;
  }
  /// On at even places, off at odd ones; ascending.
  [[nodiscard]] const std::vector<double>& switches() const { return switches_; }
  [[nodiscard]] bool is_running() const { return running_ > 0; }

 private:
  std::vector<double> switches_;
  int running_ = 0;
};

}  // namespace trainwright::simulator
