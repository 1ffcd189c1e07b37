// The table of calls filled from the libraries that this program is linked with: CUDA, cuBLASLt, NCCL, our kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

[[nodiscard]] std::shared_ptr<CudaApi> make_linked_cuda();
[[nodiscard]] std::shared_ptr<MathApi> make_linked_math();
[[nodiscard]] std::shared_ptr<NcclApi> make_linked_nccl();

/// All three. Touches no device.
[[nodiscard]] inline DeviceApi linked_device_api() {
  return {make_linked_cuda(), make_linked_math(), make_linked_nccl()};
}

}  // namespace trainwright::executor
