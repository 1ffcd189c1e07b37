// What runs on GPUs: the NCCL backend with cuBLASLt and our own kernels. gpu_parts.cpp where those are built,
// no_gpu_parts.cpp where they are not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "executor/app/job.hpp"

namespace trainwright::executor {

[[nodiscard]] std::vector<BackendParts> gpu_backends();

}  // namespace trainwright::executor
