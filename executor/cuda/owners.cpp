// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/owners.hpp"

#include "executor/cuda/device_error.hpp"

namespace trainwright::executor {

Stream::Stream(const DeviceApi& api, Urgency urgency) : cuda_(api.cuda) {
  check(api, "cudaStreamCreateWithPriority", cuda_->create_stream(handle_, urgency == Urgency::urgent));
}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(cuda_, other.cuda_);
  std::swap(handle_, other.handle_);
  return *this;
}

Stream::~Stream() {
  if (handle_ != nullptr)
    static_cast<void>(cuda_->destroy_stream(handle_));
}

Event::Event(const DeviceApi& api) : cuda_(api.cuda) {
  check(api, "cudaEventCreate", cuda_->create_event(handle_));
}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(cuda_, other.cuda_);
  std::swap(handle_, other.handle_);
  return *this;
}

Event::~Event() {
  if (handle_ != nullptr)
    static_cast<void>(cuda_->destroy_event(handle_));
}

DeviceBuffer::DeviceBuffer(const DeviceApi& api, std::size_t bytes) : cuda_(api.cuda), bytes_(bytes) {
  if (bytes > 0)
    check(api, "cudaMalloc", cuda_->allocate(data_, bytes));
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(cuda_, other.cuda_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr)
    static_cast<void>(cuda_->release(data_));
}

}  // namespace trainwright::executor
