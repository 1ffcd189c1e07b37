// The NCCL backend with the device engine and timeline, on a table of calls that is passed in: the linked libraries',
// or a double's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "executor/app/job.hpp"
#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

/// `api` is called where devices are needed, if `has_driver` says that there may be any. It may throw EnvironmentError.
[[nodiscard]] BackendParts device_parts(
    std::function<DeviceApi()> api, std::function<bool()> has_driver = [] { return true; });

}  // namespace trainwright::executor
