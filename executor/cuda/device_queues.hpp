// A device stream for each stream of a plan, and one apart from the step. Urgent ones are those that communicate: their
// kernels must not wait behind thousands of blocks of a matrix product.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "executor/cuda/device.hpp"
#include "executor/cuda/owners.hpp"
#include "model/graph/task.hpp"

namespace trainwright::executor {

class DeviceQueues {
 public:
  /// Device `index` becomes current for the calling thread. Throws DeviceError.
  DeviceQueues(const DeviceApi& api, int index);

  /// Empty: the one apart from the step.
  [[nodiscard]] ApiStream* of(std::optional<model::Stream> stream) const;
  /// Whether everything queued there has ended. Throws DeviceError when something of it failed.
  [[nodiscard]] bool is_idle(std::optional<model::Stream> stream) const;

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const DeviceApi& api() const { return device_.api(); }

 private:
  Device device_;
  std::vector<Stream> streams_;  // by model::Stream; the last is the one apart
};

}  // namespace trainwright::executor
