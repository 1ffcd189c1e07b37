// What runs on CPU cores: the Gloo backend with OpenBLAS, and the micro-benchmarks. cpu_parts.cpp where those are
// built, no_cpu_parts.cpp where they are not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "executor/app/job.hpp"

namespace trainwright::executor {

[[nodiscard]] std::vector<BackendParts> cpu_backends();

/// `trainwright-execute measure`; its exit code.
[[nodiscard]] int measure_command(int argc, char** argv);

/// Before anything else in main: may start the program anew, see gemm_kernels.hpp.
void prepare_process(char** argv);

}  // namespace trainwright::executor
