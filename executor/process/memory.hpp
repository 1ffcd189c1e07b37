// Memory of the machine and of this process, as the kernel counts it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::executor {

/// What can still be taken without swapping: MemAvailable, or less where a memory cgroup (v2) limits this process.
/// 0 when the kernel does not say.
[[nodiscard]] std::int64_t available_memory_bytes();
[[nodiscard]] std::int64_t total_memory_bytes();
/// Largest resident set of this process so far.
[[nodiscard]] std::int64_t peak_resident_bytes();

}  // namespace trainwright::executor
