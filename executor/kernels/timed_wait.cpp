// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/timed_wait.hpp"

#include <sys/prctl.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace trainwright::executor {

void timed_wait(model::Seconds duration) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  if (!(duration > model::Seconds::zero()))
    return;
  const auto whole = std::chrono::nanoseconds(std::llround(duration.count() * 1e9));
  const Clock::time_point end = begin + whole;
  // Waking up takes some microseconds; the kernel's default timer slack of 50 us would add to that.
  constexpr auto kWakeUp = std::chrono::microseconds(20);
  if (whole > 2 * kWakeUp) {
    thread_local const int slack_set = prctl(PR_SET_TIMERSLACK, 1UL);
    static_cast<void>(slack_set);  // where it fails, the wait ends later, which the measured duration shows
    std::this_thread::sleep_until(end - kWakeUp);
  }
  while (Clock::now() < end) {
  }
}

}  // namespace trainwright::executor
