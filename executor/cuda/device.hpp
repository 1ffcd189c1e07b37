// The device that a rank computes on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

/// What is plugged in and served by a driver; empty where there is no driver, which is no error here.
[[nodiscard]] std::vector<DeviceProperties> find_devices(const DeviceApi& api);

class Device {
 public:
  /// Makes it current for the calling thread. Throws DeviceError.
  Device(const DeviceApi& api, int index);

  /// Every thread that uses streams or memory of the device calls this first.
  void make_current() const;

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] const DeviceProperties& properties() const { return properties_; }
  [[nodiscard]] const DeviceApi& api() const { return api_; }
  [[nodiscard]] std::int64_t free_bytes() const;
  /// Memory in use by anybody.
  [[nodiscard]] std::int64_t used_bytes() const;

 private:
  DeviceApi api_;
  int index_;
  DeviceProperties properties_;
};

}  // namespace trainwright::executor
