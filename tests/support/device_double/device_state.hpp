// What the three parts of the double share: memory, streams and their order, faults, and the list of what was done
// wrong. A wrong call answers kMisuse, with the words of what is wrong as its text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "executor/cuda/device_api.hpp"
#include "tests/support/device_double/faults.hpp"
#include "tests/support/device_double/host_memory.hpp"
#include "tests/support/device_double/host_stream.hpp"
#include "tests/support/device_double/stream_order.hpp"

namespace trainwright::test {

inline constexpr int kMisuse = 999;

/// Description of the card that the double pretends to be.
struct DoubleOptions {
  int devices = 1;
  std::size_t memory_bytes = std::size_t{1} << 30U;
  int major = 9;
  int minor = 0;
};

class DeviceState {
 public:
  explicit DeviceState(const DoubleOptions& card) : options(card), memory(card.memory_bytes) {}

  /// Adds to the list, and gives the answer of the call.
  int misuse(const std::string& text);
  [[nodiscard]] std::string last_misuse();
  [[nodiscard]] std::vector<std::string> misuses();

  /// Checks a call that uses `uses` on `stream` and queues its work. Gives 0 or kMisuse.
  int queue(const std::string& call, executor::ApiStream* stream, const std::vector<MemoryUse>& uses,
            std::function<void()> work);

  int add_stream(executor::ApiStream*& stream);
  int remove_stream(executor::ApiStream* stream);
  [[nodiscard]] bool has(executor::ApiStream* stream);
  [[nodiscard]] bool is_idle(executor::ApiStream* stream);
  /// Waits until all streams have done what they were given.
  void settle();
  [[nodiscard]] std::size_t stream_count();

  DoubleOptions options;
  HostMemory memory;
  Faults faults;
  std::mutex order_mutex;
  StreamOrder order;
  std::atomic<int> events{0};

 private:
  std::mutex mutex_;
  std::vector<std::string> misuses_;
  std::map<executor::ApiStream*, std::unique_ptr<executor::ApiStream>> streams_;
  int next_number_ = 0;
};

/// The calling thread's current device.
[[nodiscard]] int& current_device();

}  // namespace trainwright::test

namespace trainwright::executor {

struct ApiStream {
  int number = 0;
  int device = 0;
  test::HostStream worker;
};

}  // namespace trainwright::executor
