// Can this machine run the job? Asked before any rank starts, so that the answer names the number that would work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::executor {

struct MachineResources {
  int cores = 1;                     ///< this process may use
  std::int64_t available_bytes = 0;  ///< 0: unknown, not checked
};

[[nodiscard]] MachineResources this_machine();

/// More ranks than this on a core measure the scheduler, not the plan.
inline constexpr int kMaxRanksPerCore = 4;
/// Program, libraries, connections and records of a rank, beside its buffers.
inline constexpr std::int64_t kRankBaseBytes = 64LL << 20;

/// Throws EnvironmentError when there are too many ranks for the cores, or `needed_bytes` (of all ranks, without
/// kRankBaseBytes) is more than is free.
void check_machine(const MachineResources& machine, int ranks, std::int64_t needed_bytes);

}  // namespace trainwright::executor
