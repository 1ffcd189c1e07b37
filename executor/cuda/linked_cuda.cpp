// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <array>

#include "executor/cuda/linked_api.hpp"

namespace trainwright::executor {
namespace {

static_assert(kCudaNotReady == cudaErrorNotReady);

cudaStream_t handle(ApiStream* stream) {
  return reinterpret_cast<cudaStream_t>(stream);  // NOLINT: an opaque handle on both sides
}
cudaEvent_t handle(ApiEvent* event) {
  return reinterpret_cast<cudaEvent_t>(event);  // NOLINT: as above
}

// A code that is only an answer must not be found later as the last error of the thread.
ApiResult result(cudaError_t code) {
  if (code != cudaSuccess)
    static_cast<void>(cudaGetLastError());
  return {ApiLibrary::cuda, code};
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

class LinkedCuda final : public CudaApi {
 public:
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override {
    std::vector<std::pair<std::string, std::string>> all;
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess)
      all.emplace_back("cuda", version_text(version));
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0)
      all.emplace_back("cuda-driver", version_text(version));
    return all;
  }
  [[nodiscard]] std::string text(int code) override { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

  ApiResult device_count(int& count) override { return result(cudaGetDeviceCount(&count)); }
  ApiResult properties(int device, DeviceProperties& properties) override {
    cudaDeviceProp found{};
    const cudaError_t code = cudaGetDeviceProperties(&found, device);
    if (code != cudaSuccess)
      return result(code);
    std::array<char, 32> bus{};
    static_cast<void>(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device));
    properties = {found.name,
                  bus.data(),
                  found.major,
                  found.minor,
                  found.multiProcessorCount,
                  static_cast<std::int64_t>(found.totalGlobalMem)};
    return result(code);
  }
  ApiResult set_device(int device) override { return result(cudaSetDevice(device)); }
  ApiResult memory_info(std::size_t& free, std::size_t& total) override {
    return result(cudaMemGetInfo(&free, &total));
  }

  ApiResult allocate(void*& memory, std::size_t bytes) override { return result(cudaMalloc(&memory, bytes)); }
  ApiResult release(void* memory) override { return result(cudaFree(memory)); }
  ApiResult copy_to_device(void* to, const void* from, std::size_t bytes, ApiStream* stream) override {
    return result(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, handle(stream)));
  }
  ApiResult copy_to_host(void* to, const void* from, std::size_t bytes, ApiStream* stream) override {
    return result(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, handle(stream)));
  }
  ApiResult set_bytes(void* memory, int value, std::size_t bytes, ApiStream* stream) override {
    return result(cudaMemsetAsync(memory, value, bytes, handle(stream)));
  }

  ApiResult create_stream(ApiStream*& stream, bool urgent) override {
    int least = 0;
    int greatest = 0;
    cudaStream_t made = nullptr;
    cudaError_t code = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (code == cudaSuccess)
      code = cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, urgent ? greatest : least);
    stream = reinterpret_cast<ApiStream*>(made);  // NOLINT: as above
    return result(code);
  }
  ApiResult destroy_stream(ApiStream* stream) override { return result(cudaStreamDestroy(handle(stream))); }
  ApiResult query_stream(ApiStream* stream) override { return result(cudaStreamQuery(handle(stream))); }

  ApiResult create_event(ApiEvent*& event) override {
    cudaEvent_t made = nullptr;
    const cudaError_t code = cudaEventCreateWithFlags(&made, cudaEventDefault);
    event = reinterpret_cast<ApiEvent*>(made);  // NOLINT: as above
    return result(code);
  }
  ApiResult destroy_event(ApiEvent* event) override { return result(cudaEventDestroy(handle(event))); }
  ApiResult record(ApiEvent* event, ApiStream* stream) override {
    return result(cudaEventRecord(handle(event), handle(stream)));
  }
  ApiResult wait(ApiStream* stream, ApiEvent* event) override {
    return result(cudaStreamWaitEvent(handle(stream), handle(event), 0));
  }
  ApiResult query_event(ApiEvent* event) override { return result(cudaEventQuery(handle(event))); }
  ApiResult elapsed(float& milliseconds, ApiEvent* from, ApiEvent* to) override {
    return result(cudaEventElapsedTime(&milliseconds, handle(from), handle(to)));
  }
};

}  // namespace

std::shared_ptr<CudaApi> make_linked_cuda() {
  return std::make_shared<LinkedCuda>();
}

}  // namespace trainwright::executor
