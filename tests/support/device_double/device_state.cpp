// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/device_state.hpp"

#include <thread>

namespace trainwright::test {

using executor::ApiStream;

int& current_device() {
  thread_local int device = 0;
  return device;
}

int DeviceState::misuse(const std::string& text) {
  const std::lock_guard lock(mutex_);
  misuses_.push_back(text);
  return kMisuse;
}

std::string DeviceState::last_misuse() {
  const std::lock_guard lock(mutex_);
  return misuses_.empty() ? "none" : misuses_.back();
}

std::vector<std::string> DeviceState::misuses() {
  const std::lock_guard lock(mutex_);
  return misuses_;
}

int DeviceState::queue(const std::string& call, ApiStream* stream, const std::vector<MemoryUse>& uses,
                       std::function<void()> work) {
  if (!has(stream))
    return misuse(call + ": not a stream, or destroyed before");
  if (stream->device != current_device())
    return misuse(call + ": the stream is of device " + std::to_string(stream->device) + ", the thread's device is " +
                  std::to_string(current_device()));
  for (const MemoryUse& use : uses)
    if (use.bytes > 0)
      if (const std::string objection = memory.objection(use.begin, use.bytes); !objection.empty())
        return misuse(call + ": " + objection);
  // Under one lock, so that the order that is checked is the order that is run.
  const std::lock_guard lock(order_mutex);
  if (const std::string conflict = order.add(stream->number, call, uses); !conflict.empty())
    return misuse(conflict);
  stream->worker.push(std::move(work));
  return 0;
}

int DeviceState::add_stream(ApiStream*& stream) {
  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<ApiStream>();
  made->number = next_number_++;
  made->device = current_device();
  stream = made.get();
  streams_[stream] = std::move(made);
  return 0;
}

int DeviceState::remove_stream(ApiStream* stream) {
  std::unique_ptr<ApiStream> removed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found != streams_.end()) {
      removed = std::move(found->second);
      streams_.erase(found);
    }
  }
  return removed ? 0 : misuse("cudaStreamDestroy: not a stream, or destroyed before");
}

bool DeviceState::has(ApiStream* stream) {
  const std::lock_guard lock(mutex_);
  return streams_.contains(stream);
}

bool DeviceState::is_idle(ApiStream* stream) {
  // What is seen idle was idle for everything queued until now, so its clock is read first.
  StreamOrder::Clock clock;
  {
    const std::lock_guard lock(order_mutex);
    clock = order.now(stream->number);
  }
  if (!stream->worker.is_idle())
    return false;
  const std::lock_guard lock(order_mutex);
  order.host_saw(clock);
  return true;
}

void DeviceState::settle() {
  std::vector<ApiStream*> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [stream, owner] : streams_)
      all.push_back(stream);
  }
  for (ApiStream* stream : all)
    while (!is_idle(stream))
      std::this_thread::yield();
}

std::size_t DeviceState::stream_count() {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

}  // namespace trainwright::test
