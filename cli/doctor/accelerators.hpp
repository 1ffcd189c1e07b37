// GPUs, their driver, the CUDA toolkit and NCCL, as far as they can be seen without linking any of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/doctor/doctor.hpp"
#include "cli/doctor/machine.hpp"

namespace trainwright::cli {

/// The NVIDIA GPUs that the driver serves; none without a driver.
[[nodiscard]] std::vector<GpuFact> find_gpus(const Machine& machine);

/// Findings "gpu", "gpu_driver", "cuda_toolkit", "nccl".
[[nodiscard]] std::vector<Finding> examine_accelerators(const Machine& machine, const std::vector<GpuFact>& gpus);

}  // namespace trainwright::cli
