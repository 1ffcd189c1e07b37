// NCCL over sockets, with ranks as threads or processes: non-blocking communicators that need to be asked, groups of
// calls, work on streams of the double, failures in the background, and abort.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tests/support/device_double/device_state.hpp"

namespace trainwright::test {

[[nodiscard]] std::shared_ptr<executor::NcclApi> make_nccl_double(std::shared_ptr<DeviceState> state);

}  // namespace trainwright::test
