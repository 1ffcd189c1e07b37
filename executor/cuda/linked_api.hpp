// The table of calls filled from the libraries that this program is linked with: CUDA, cuBLASLt, NCCL, our kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

/// Name of the shared library that holds all of this, and of its one function to be looked up.
inline constexpr const char* kLinkedApiFile = "libtrainwright-device.so";
inline constexpr const char* kLinkedApiFunction = "trainwright_linked_device_api";

[[nodiscard]] std::shared_ptr<CudaApi> make_linked_cuda();
[[nodiscard]] std::shared_ptr<MathApi> make_linked_math();
[[nodiscard]] std::shared_ptr<NcclApi> make_linked_nccl();

/// All three. Touches no device.
[[nodiscard]] DeviceApi linked_device_api();

}  // namespace trainwright::executor

/// The same for a caller that looked the function up.
extern "C" void trainwright_linked_device_api(trainwright::executor::DeviceApi* api);
