// cuBLASLt's products and our own kernels on the host. The kernels are the same functions that the device compiles
// (executor/cuda/kernel_bodies.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tests/support/device_double/device_state.hpp"

namespace trainwright::test {

[[nodiscard]] std::shared_ptr<executor::MathApi> make_math_double(std::shared_ptr<DeviceState> state);

}  // namespace trainwright::test
