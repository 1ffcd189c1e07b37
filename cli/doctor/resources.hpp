// Cores and memory that this process may use, after affinity and control groups (containers, Slurm).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/doctor/doctor.hpp"
#include "cli/doctor/machine.hpp"

namespace trainwright::cli {

/// Whole cores, at least 1: the smaller of the affinity mask and the quota of the control group.
[[nodiscard]] int cores_allowed(const Machine& machine);

/// The smaller of the installed memory and the limits of the control group and those above it; 0 when unknown.
[[nodiscard]] model::ByteCount memory_allowed(const Machine& machine);

/// Findings "cores", "memory", "disk", "shared_memory", "open_files", "locked_memory".
[[nodiscard]] std::vector<Finding> examine_resources(const Machine& machine);

}  // namespace trainwright::cli
