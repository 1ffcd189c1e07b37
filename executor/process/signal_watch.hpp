// Signals as a readable file descriptor, so that one poll loop sees interrupts, ended children and messages in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "executor/process/file_descriptor.hpp"

namespace trainwright::executor {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked in the calling thread (and in threads it starts) and
/// are delivered through fd(); SIGPIPE is ignored. Create it before the first thread.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  [[nodiscard]] int fd() const { return fd_.get(); }
  /// The next pending signal's number; empty when there is none.
  [[nodiscard]] std::optional<int> take();

 private:
  FileDescriptor fd_;
};

}  // namespace trainwright::executor
