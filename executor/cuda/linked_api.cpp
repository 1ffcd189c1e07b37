// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/linked_api.hpp"

namespace trainwright::executor {

DeviceApi linked_device_api() {
  return {make_linked_cuda(), make_linked_math(), make_linked_nccl()};
}

}  // namespace trainwright::executor

void trainwright_linked_device_api(trainwright::executor::DeviceApi* api) {
  *api = trainwright::executor::linked_device_api();
}
