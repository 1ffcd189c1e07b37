// A stream of the double: a thread that does what it is given, in order, beside the host and other streams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace trainwright::test {

class HostStream {
 public:
  HostStream();
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;
  /// Does what is left first.
  ~HostStream();

  void push(std::function<void()> work);
  [[nodiscard]] bool is_idle() const;

 private:
  void serve();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool busy_ = false;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace trainwright::test
