// A double of CUDA, cuBLASLt, NCCL and our kernels on host memory, threads and sockets, behind the executor's table of
// calls (executor/cuda/device_api.hpp). It does what the calls say, checks how they are used, and fails on demand:
//   memory    ranges inside living allocations, guards around them, NaN in new memory
//   order     work of two streams on the same memory must be ordered by events or by the host
//   NCCL      groups are opened and closed, members call the same, what is sent is received, nothing is called while an
//             earlier call is in progress or after its end
//   the end   everything was given back
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "executor/cuda/device_api.hpp"
#include "tests/support/device_double/device_state.hpp"

namespace trainwright::test {

class DeviceDouble {
 public:
  explicit DeviceDouble(const DoubleOptions& options = {});

  [[nodiscard]] executor::DeviceApi api() const { return api_; }
  [[nodiscard]] DeviceState& state() const { return *state_; }
  /// "" or everything that was done wrong so far, and what was not given back.
  [[nodiscard]] std::string complaints() const;

 private:
  std::shared_ptr<DeviceState> state_;
  executor::DeviceApi api_;
};

}  // namespace trainwright::test
