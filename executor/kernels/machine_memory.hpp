// Memory of this machine, from /proc/meminfo.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/units/byte_count.hpp"

namespace trainwright::executor {

[[nodiscard]] std::optional<model::ByteCount> total_memory();

/// What new programs may take without pushing others out ("MemAvailable"). Empty where the kernel does not say.
[[nodiscard]] std::optional<model::ByteCount> available_memory();

}  // namespace trainwright::executor
