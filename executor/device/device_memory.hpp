// Device memory of a rank's compute tasks: a ring for each kind of tensor, and what is used inside a task.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/cuda/device_queues.hpp"
#include "executor/cuda/owners.hpp"
#include "executor/kernels/operand_plan.hpp"

namespace trainwright::executor {

struct DeviceOperands {
  std::byte* recent = nullptr;
  std::byte* next = nullptr;
};

class DeviceRing {
 public:
  /// Ranges begin where the widest loads of any kernel and product may begin.
  static constexpr std::int64_t kAlign = 256;

  DeviceRing(const DeviceApi& api, std::int64_t bytes)
      : cursor_(bytes, kAlign), buffer_(api, static_cast<std::size_t>(bytes)) {}

  DeviceOperands take(const RingDemand& demand) {
    const RingRanges ranges = cursor_.take(demand);
    return {buffer_.data() + ranges.recent, buffer_.data() + ranges.next};
  }
  [[nodiscard]] const DeviceBuffer& buffer() const { return buffer_; }

 private:
  RingCursor cursor_;
  DeviceBuffer buffer_;
};

struct DeviceMemory {
  /// Fills the rings with finite numbers of the format that most of them will be read in. Throws EnvironmentError when
  /// there is less free than the plan needs.
  DeviceMemory(const DeviceQueues& queues, const MemoryPlan& plan, ElementType type);

  DeviceRing activations;
  DeviceRing activation_gradients;
  DeviceRing weights;
  DeviceRing weight_gradients;
  DeviceRing first_moments;
  DeviceRing second_moments;
  DeviceBuffer work;
  DeviceBuffer sink;
  DeviceBuffer gemm_workspace;
};

}  // namespace trainwright::executor
