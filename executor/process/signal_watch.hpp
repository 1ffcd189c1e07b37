// Signals as a readable file descriptor, so that one poll loop sees interrupts, ended children and messages in order.
// Handlers and a pipe instead of signalfd: that needs the signals blocked in every thread, and OpenBLAS starts threads
// before main.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <array>
#include <optional>

#include "executor/process/file_descriptor.hpp"

namespace trainwright::executor {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGCHLD only make fd() readable, and SIGPIPE is ignored. One at a time
/// in a process; the former handling comes back at its end. Throws EnvironmentError.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  [[nodiscard]] int fd() const { return pipe_.read_end.get(); }
  /// The number of the next signal that has come; empty when there is none.
  [[nodiscard]] std::optional<int> take();

 private:
  static constexpr std::array<int, 5> kSignals{SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE};
  Pipe pipe_;
  std::array<struct sigaction, kSignals.size()> former_{};
};

}  // namespace trainwright::executor
