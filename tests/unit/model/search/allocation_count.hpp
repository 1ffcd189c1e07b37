// How often this program has allocated memory: operator new is replaced by one that counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::test {

/// False under a sanitizer, which has an allocator of its own.
[[nodiscard]] bool counts_allocations();
[[nodiscard]] std::int64_t allocations();

}  // namespace trainwright::test
