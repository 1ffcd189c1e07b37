// Launching our own kernels (kernels.cu). Each returns CUDA's code; the work is queued on the stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "executor/cuda/kernel_arguments.hpp"

namespace trainwright::executor {

struct ApiStream;

[[nodiscard]] int launch_fill(const FillCall& call, ApiStream* stream);
[[nodiscard]] int launch_traffic(const TrafficCall& call, ApiStream* stream);
[[nodiscard]] int launch_softmax(const SoftmaxCall& call, ApiStream* stream);
[[nodiscard]] int launch_optimizer(const OptimizerCall& call, ApiStream* stream);
[[nodiscard]] int launch_wait(std::int64_t nanoseconds, ApiStream* stream);

}  // namespace trainwright::executor
