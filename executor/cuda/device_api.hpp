// Every call to CUDA, cuBLASLt and NCCL that the executor makes, as one narrow table. The linked libraries fill it
// (linked_*.cpp, the only files that know their headers); in tests a double of them on host memory does. All that is
// above the table needs no CUDA to be compiled and tested. Handles are opaque; a call's outcome is its library's code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "executor/cuda/kernel_arguments.hpp"

namespace trainwright::executor {

enum class ApiLibrary : std::uint8_t { cuda, cublas, nccl };

/// Outcome of a call; 0 is success in all three libraries.
struct ApiResult {
  ApiLibrary library = ApiLibrary::cuda;
  int code = 0;
  [[nodiscard]] bool ok() const { return code == 0; }
  friend bool operator==(const ApiResult&, const ApiResult&) = default;
};

// Codes that are no failures; the linked libraries assert them.
inline constexpr int kCudaNotReady = 600;
inline constexpr int kNcclInProgress = 7;
/// Another member failed or the network did; perhaps nothing is wrong here.
inline constexpr int kNcclRemoteError = 6;
/// A color of nobody: the caller is in no group of this split.
inline constexpr int kNcclNoColor = -1;

// Handles, never looked into.
struct ApiStream;
struct ApiEvent;
struct ApiCommunicator;

struct DeviceProperties {
  std::string name;
  std::string pci_bus;  ///< "0000:3b:00.0"
  int major = 0;        ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
};

/// Devices, memory, streams, events. The current device is a property of the calling thread, as in CUDA.
class CudaApi {
 public:
  virtual ~CudaApi() = default;
  /// Version of the library and of the driver: {"cuda", "13.0"}, ...
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> versions() = 0;
  [[nodiscard]] virtual std::string text(int code) = 0;

  virtual ApiResult device_count(int& count) = 0;
  virtual ApiResult properties(int device, DeviceProperties& properties) = 0;
  virtual ApiResult set_device(int device) = 0;
  virtual ApiResult memory_info(std::size_t& free, std::size_t& total) = 0;

  virtual ApiResult allocate(void*& memory, std::size_t bytes) = 0;
  virtual ApiResult release(void* memory) = 0;
  virtual ApiResult copy_to_device(void* to, const void* from, std::size_t bytes, ApiStream* stream) = 0;
  virtual ApiResult copy_to_host(void* to, const void* from, std::size_t bytes, ApiStream* stream) = 0;
  virtual ApiResult set_bytes(void* memory, int value, std::size_t bytes, ApiStream* stream) = 0;

  /// Streams run beside each other and beside the host; `urgent` ones get free multiprocessors first.
  virtual ApiResult create_stream(ApiStream*& stream, bool urgent) = 0;
  virtual ApiResult destroy_stream(ApiStream* stream) = 0;
  /// kCudaNotReady while something queued has not ended.
  virtual ApiResult query_stream(ApiStream* stream) = 0;

  virtual ApiResult create_event(ApiEvent*& event) = 0;
  virtual ApiResult destroy_event(ApiEvent* event) = 0;
  virtual ApiResult record(ApiEvent* event, ApiStream* stream) = 0;
  /// What is queued on `stream` from now on starts after the event's last record.
  virtual ApiResult wait(ApiStream* stream, ApiEvent* event) = 0;
  virtual ApiResult query_event(ApiEvent* event) = 0;
  virtual ApiResult elapsed(float& milliseconds, ApiEvent* from, ApiEvent* to) = 0;
};

/// Cublas and our own kernels. Each call queues on the stream.
class MathApi {
 public:
  virtual ~MathApi() = default;
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> versions() = 0;
  [[nodiscard]] virtual std::string text(int code) = 0;

  /// Bytes of working memory that products may use.
  [[nodiscard]] virtual std::size_t gemm_workspace_bytes() const = 0;
  virtual ApiResult gemm(const GemmCall& call, ApiStream* stream) = 0;

  virtual ApiResult fill_pattern(const FillCall& call, ApiStream* stream) = 0;
  virtual ApiResult traffic(const TrafficCall& call, ApiStream* stream) = 0;
  virtual ApiResult softmax_rows(const SoftmaxCall& call, ApiStream* stream) = 0;
  virtual ApiResult optimizer(const OptimizerCall& call, ApiStream* stream) = 0;
  /// Keeps the stream busy for a time.
  virtual ApiResult wait_for(std::int64_t nanoseconds, ApiStream* stream) = 0;
};

using NcclUniqueId = std::array<char, 128>;

/// Communicators are non-blocking: a call may answer kNcclInProgress, and async_error tells when it has ended. Element
/// type is float, sums are sums of float. Counts are elements.
class NcclApi {
 public:
  virtual ~NcclApi() = default;
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> versions() = 0;
  /// The library's words, with those of the last failure of this process where it has some.
  [[nodiscard]] virtual std::string text(int code) = 0;

  virtual ApiResult unique_id(NcclUniqueId& id) = 0;
  virtual ApiResult init_rank(ApiCommunicator*& communicator, int ranks, const NcclUniqueId& id, int rank) = 0;
  /// Called by all members of `parent`; those with one color form a communicator, ordered by key. Null for
  /// kNcclNoColor.
  virtual ApiResult split(ApiCommunicator* parent, int color, int key, ApiCommunicator*& communicator) = 0;
  virtual ApiResult async_error(ApiCommunicator* communicator, ApiResult& state) = 0;
  virtual ApiResult finalize(ApiCommunicator* communicator) = 0;
  virtual ApiResult destroy(ApiCommunicator* communicator) = 0;
  /// Ends what is in progress and frees the communicator; any thread may call it.
  virtual ApiResult abort(ApiCommunicator* communicator) = 0;
  virtual ApiResult register_buffer(ApiCommunicator* communicator, void* buffer, std::size_t bytes, void*& handle) = 0;
  virtual ApiResult deregister_buffer(ApiCommunicator* communicator, void* handle) = 0;

  // Calls between group_start and group_end of one thread are launched together.
  virtual ApiResult group_start() = 0;
  virtual ApiResult group_end() = 0;
  virtual ApiResult all_reduce(float* data, std::size_t count, ApiCommunicator* communicator, ApiStream* stream) = 0;
  /// `block` elements of each member, the own block in place.
  virtual ApiResult all_gather(float* data, std::size_t block, ApiCommunicator* communicator, ApiStream* stream) = 0;
  virtual ApiResult reduce_scatter(float* data, std::size_t block, ApiCommunicator* communicator,
                                   ApiStream* stream) = 0;
  virtual ApiResult broadcast(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                              ApiStream* stream) = 0;
  virtual ApiResult reduce(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                           ApiStream* stream) = 0;
  virtual ApiResult send(const float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                         ApiStream* stream) = 0;
  virtual ApiResult receive(float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                            ApiStream* stream) = 0;
};

/// The three together, shared by all that use the device.
struct DeviceApi {
  std::shared_ptr<CudaApi> cuda;
  std::shared_ptr<MathApi> math;
  std::shared_ptr<NcclApi> nccl;
};

/// One line for each library, for the provenance of a measurement.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> versions(const DeviceApi& api);

}  // namespace trainwright::executor
