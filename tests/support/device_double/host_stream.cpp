// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/host_stream.hpp"

#include <utility>

namespace trainwright::test {

HostStream::HostStream() : thread_([this] { serve(); }) {}

HostStream::~HostStream() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HostStream::push(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  changed_.notify_all();
}

bool HostStream::is_idle() const {
  const std::lock_guard lock(mutex_);
  return work_.empty() && !busy_;
}

void HostStream::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !work_.empty(); });
    if (work_.empty())
      return;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    busy_ = true;
    lock.unlock();
    work();
    lock.lock();
    busy_ = false;
  }
}

}  // namespace trainwright::test
