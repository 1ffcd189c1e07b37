// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/cuda_double.hpp"

#include <cstring>

namespace trainwright::executor {

struct ApiEvent {
  // One for each time it was recorded: a wait stands for the record before it, whatever comes later.
  struct Record {
    std::mutex mutex;
    std::condition_variable changed;
    bool passed = false;
    std::chrono::steady_clock::time_point time;
    test::StreamOrder::Clock clock;
  };
  std::shared_ptr<Record> last;
};

}  // namespace trainwright::executor

namespace trainwright::test {
namespace {

using executor::ApiEvent;
using executor::ApiLibrary;
using executor::ApiResult;
using executor::ApiStream;

constexpr int kInvalidDevice = 101;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidHandle = 400;

const std::byte* bytes_at(const void* memory) {
  return static_cast<const std::byte*>(memory);
}

class CudaDouble final : public executor::CudaApi {
 public:
  explicit CudaDouble(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override { return {{"cuda", "double"}}; }
  [[nodiscard]] std::string text(int code) override {
    switch (code) {
      case kOutOfMemory:
        return "out of memory";
      case kInvalidDevice:
        return "invalid device ordinal";
      case 700:
        return "an illegal memory access was encountered";
      case kMisuse:
        return state_->last_misuse();
      default:
        return "error";
    }
  }

  ApiResult device_count(int& count) override {
    count = state_->options.devices;
    return answer("cudaGetDeviceCount");
  }
  ApiResult properties(int device, executor::DeviceProperties& properties) override {
    if (device >= state_->options.devices)
      return {ApiLibrary::cuda, kInvalidDevice};
    properties.name = "Test card";
    properties.pci_bus = "0000:00:00.0";
    properties.major = state_->options.major;
    properties.minor = state_->options.minor;
    properties.multiprocessors = 1;
    properties.memory_bytes = static_cast<std::int64_t>(state_->memory.capacity());
    return answer("cudaGetDeviceProperties");
  }
  ApiResult set_device(int device) override {
    if (device >= state_->options.devices)
      return {ApiLibrary::cuda, kInvalidDevice};
    current_device() = device;
    return answer("cudaSetDevice");
  }
  ApiResult memory_info(std::size_t& free, std::size_t& total) override {
    total = state_->memory.capacity();
    free = total - state_->memory.used();
    return answer("cudaMemGetInfo");
  }

  ApiResult allocate(void*& memory, std::size_t bytes) override {
    if (const ApiResult result = answer("cudaMalloc"); !result.ok())
      return result;
    memory = state_->memory.allocate(bytes);
    return {ApiLibrary::cuda, memory == nullptr ? kOutOfMemory : 0};
  }
  ApiResult release(void* memory) override {
    state_->settle();  // as cudaFree does
    {
      const std::lock_guard lock(state_->order_mutex);
      state_->order.forget(bytes_at(memory), 1);
    }
    const std::string problem = state_->memory.release(memory);
    return {ApiLibrary::cuda, problem.empty() ? 0 : state_->misuse("cudaFree: " + problem)};
  }

  ApiResult copy_to_device(void* to, const void* from, std::size_t bytes, ApiStream* stream) override {
    return queue("cudaMemcpyAsync", stream, {{bytes_at(to), bytes, true}}, [=] { std::memcpy(to, from, bytes); });
  }
  ApiResult copy_to_host(void* to, const void* from, std::size_t bytes, ApiStream* stream) override {
    return queue("cudaMemcpyAsync", stream, {{bytes_at(from), bytes, false}}, [=] { std::memcpy(to, from, bytes); });
  }
  ApiResult set_bytes(void* memory, int value, std::size_t bytes, ApiStream* stream) override {
    return queue("cudaMemsetAsync", stream, {{bytes_at(memory), bytes, true}},
                 [=] { std::memset(memory, value, bytes); });
  }

  ApiResult create_stream(ApiStream*& stream, bool) override {
    if (const ApiResult result = answer("cudaStreamCreateWithPriority"); !result.ok())
      return result;
    return {ApiLibrary::cuda, state_->add_stream(stream)};
  }
  ApiResult destroy_stream(ApiStream* stream) override { return {ApiLibrary::cuda, state_->remove_stream(stream)}; }
  ApiResult query_stream(ApiStream* stream) override {
    if (const ApiResult result = answer("cudaStreamQuery"); !result.ok())
      return result;
    if (!state_->has(stream))
      return {ApiLibrary::cuda, state_->misuse("cudaStreamQuery: not a stream")};
    return {ApiLibrary::cuda, state_->is_idle(stream) ? 0 : executor::kCudaNotReady};
  }

  ApiResult create_event(ApiEvent*& event) override {
    if (const ApiResult result = answer("cudaEventCreate"); !result.ok())
      return result;
    event = std::make_unique<ApiEvent>().release();
    ++state_->events;
    return {};
  }
  ApiResult destroy_event(ApiEvent* event) override {
    const std::unique_ptr<ApiEvent> owner(event);
    --state_->events;
    return {};
  }
  ApiResult record(ApiEvent* event, ApiStream* stream) override {
    auto record = std::make_shared<ApiEvent::Record>();
    event->last = record;
    const ApiResult result = queue("cudaEventRecord", stream, {}, [record] {
      const std::lock_guard lock(record->mutex);
      record->time = std::chrono::steady_clock::now();
      record->passed = true;
      record->changed.notify_all();
    });
    const std::lock_guard lock(state_->order_mutex);
    if (result.ok())
      record->clock = state_->order.now(stream->number);
    return result;
  }
  ApiResult wait(ApiStream* stream, ApiEvent* event) override {
    const std::shared_ptr<ApiEvent::Record> record = event->last;
    if (!record)
      return {ApiLibrary::cuda, state_->misuse("cudaStreamWaitEvent: the event was never recorded")};
    {
      const std::lock_guard lock(state_->order_mutex);
      state_->order.wait(stream->number, record->clock);
    }
    return queue("cudaStreamWaitEvent", stream, {}, [record] {
      std::unique_lock lock(record->mutex);
      record->changed.wait(lock, [&] { return record->passed; });
    });
  }
  ApiResult query_event(ApiEvent* event) override {
    const std::shared_ptr<ApiEvent::Record> record = event->last;
    if (!record)
      return {};
    const std::lock_guard lock(record->mutex);
    if (!record->passed)
      return {ApiLibrary::cuda, executor::kCudaNotReady};
    const std::lock_guard order_lock(state_->order_mutex);
    state_->order.host_saw(record->clock);
    return {};
  }
  ApiResult elapsed(float& milliseconds, ApiEvent* from, ApiEvent* to) override {
    if (!from->last || !to->last)
      return {ApiLibrary::cuda, kInvalidHandle};
    if (!query_event(from).ok() || !query_event(to).ok())
      return {ApiLibrary::cuda, executor::kCudaNotReady};
    milliseconds = std::chrono::duration<float, std::milli>(to->last->time - from->last->time).count();
    return {};
  }

 private:
  ApiResult answer(const char* call) { return {ApiLibrary::cuda, state_->faults.next(call).code}; }

  ApiResult queue(const char* call, ApiStream* stream, const std::vector<MemoryUse>& uses, std::function<void()> work) {
    if (const ApiResult result = answer(call); !result.ok())
      return result;
    return {ApiLibrary::cuda, state_->queue(call, stream, uses, std::move(work))};
  }

  std::shared_ptr<DeviceState> state_;
};

}  // namespace

std::shared_ptr<executor::CudaApi> make_cuda_double(std::shared_ptr<DeviceState> state) {
  return std::make_shared<CudaDouble>(std::move(state));
}

}  // namespace trainwright::test
