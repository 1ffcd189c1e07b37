// Ctrl-C and kill as a stop token: the first asks the work to end with what it has, the second ends the program at
// once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <thread>

namespace trainwright::cli {

class InterruptWatch {
 public:
  /// Takes over SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE. One at a time in a process.
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void watch();

  std::stop_source source_;
  int read_end_ = -1;
  int write_end_ = -1;
  std::thread watcher_;
};

}  // namespace trainwright::cli
