// Owners of what the device hands out: given back at the end, moved, never copied. Destructors do not throw: what
// cannot be given back any more (a dead device) is left to the end of the process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

class Stream {
 public:
  enum class Urgency { normal, urgent };
  /// Of the current device. Throws DeviceError.
  explicit Stream(const DeviceApi& api, Urgency urgency = Urgency::normal);
  Stream(Stream&& other) noexcept : cuda_(std::move(other.cuda_)), handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();
  [[nodiscard]] ApiStream* get() const { return handle_; }

 private:
  std::shared_ptr<CudaApi> cuda_;
  ApiStream* handle_ = nullptr;
};

class Event {
 public:
  explicit Event(const DeviceApi& api);
  Event(Event&& other) noexcept : cuda_(std::move(other.cuda_)), handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept;
  ~Event();
  [[nodiscard]] ApiEvent* get() const { return handle_; }

 private:
  std::shared_ptr<CudaApi> cuda_;
  ApiEvent* handle_ = nullptr;
};

/// Memory of the device that was current when it was made.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// No bytes need no memory. Throws DeviceError.
  DeviceBuffer(const DeviceApi& api, std::size_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : cuda_(std::move(other.cuda_)), data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<CudaApi> cuda_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace trainwright::executor
