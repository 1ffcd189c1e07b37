// The cores this process may use, and pinning to one of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace trainwright::executor {

/// Logical processors of the allowed set (taskset, cpuset cgroup), one hardware thread of each physical core first, so
/// that the first n of them share as little as possible.
[[nodiscard]] std::vector<int> allowed_cores();

/// Binds the calling thread, and threads it starts later, to one processor. Throws EnvironmentError.
void pin_to_core(int core);

}  // namespace trainwright::executor
