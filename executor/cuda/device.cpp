// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/device.hpp"

#include "executor/cuda/device_error.hpp"

namespace trainwright::executor {

std::vector<DeviceProperties> find_devices(const DeviceApi& api) {
  int count = 0;
  if (!api.cuda->device_count(count).ok())
    return {};
  std::vector<DeviceProperties> devices(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    check(api, "cudaGetDeviceProperties", api.cuda->properties(i, devices[static_cast<std::size_t>(i)]));
  return devices;
}

Device::Device(const DeviceApi& api, int index) : api_(api), index_(index) {
  check(api_, "cudaGetDeviceProperties", api_.cuda->properties(index, properties_));
  make_current();
}

void Device::make_current() const {
  check(api_, "cudaSetDevice", api_.cuda->set_device(index_));
}

std::int64_t Device::free_bytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  check(api_, "cudaMemGetInfo", api_.cuda->memory_info(free, total));
  return static_cast<std::int64_t>(free);
}

std::int64_t Device::used_bytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  check(api_, "cudaMemGetInfo", api_.cuda->memory_info(free, total));
  return static_cast<std::int64_t>(total - free);
}

}  // namespace trainwright::executor
