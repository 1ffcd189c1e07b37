// Waiting for a device without handing the thread to it: a call that waits inside the library cannot be given up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

namespace trainwright::executor {

/// Paces a loop of questions: at first without a pause, which costs the least delay, then with ever longer ones.
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit), start_(std::chrono::steady_clock::now()) {}

  /// Something has moved: the limit counts from now.
  void renew() { start_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] bool is_exhausted() const { return std::chrono::steady_clock::now() - start_ > limit_; }
  [[nodiscard]] std::chrono::milliseconds limit() const { return limit_; }

  void pause() const {
    const auto waited = std::chrono::steady_clock::now() - start_;
    if (waited < kBusy)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kPause);
  }

 private:
  static constexpr std::chrono::microseconds kBusy{200};
  static constexpr std::chrono::microseconds kPause{50};
  std::chrono::milliseconds limit_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace trainwright::executor
