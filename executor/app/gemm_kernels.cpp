// SPDX-License-Identifier: Apache-2.0
#include "executor/app/gemm_kernels.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "executor/kernels/gemm.hpp"

namespace trainwright::executor {

void use_suitable_gemm_kernels(char** argv) {
  const std::string better = better_gemm_kernels();
  if (better.empty() || ::getenv(kGemmKernelsVariable) != nullptr)
    return;
  if (::setenv(kGemmKernelsVariable, better.c_str(), 1) == 0)
    ::execv("/proc/self/exe", argv);
}

}  // namespace trainwright::executor
