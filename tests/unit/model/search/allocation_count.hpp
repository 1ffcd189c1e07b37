// How often this program has allocated memory: operator new is replaced by one that counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::test {

[[nodiscard]] std::int64_t allocations();

}  // namespace trainwright::test
