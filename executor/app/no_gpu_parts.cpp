// A build without CUDA and NCCL.
// SPDX-License-Identifier: Apache-2.0
#include "executor/app/gpu_parts.hpp"

namespace trainwright::executor {

std::vector<BackendParts> gpu_backends() {
  return {};
}

}  // namespace trainwright::executor
