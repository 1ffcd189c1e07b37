// CUDA's memory, streams and events on host memory and threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tests/support/device_double/device_state.hpp"

namespace trainwright::test {

[[nodiscard]] std::shared_ptr<executor::CudaApi> make_cuda_double(std::shared_ptr<DeviceState> state);

}  // namespace trainwright::test
