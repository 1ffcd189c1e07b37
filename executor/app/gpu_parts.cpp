// SPDX-License-Identifier: Apache-2.0
#include "executor/app/gpu_parts.hpp"

#include "executor/app/device_parts.hpp"
#include "executor/cuda/linked_api.hpp"

namespace trainwright::executor {

std::vector<BackendParts> gpu_backends() {
  return {device_parts(&linked_device_api)};
}

}  // namespace trainwright::executor
