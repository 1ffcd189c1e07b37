// SPDX-License-Identifier: Apache-2.0
#include "executor/app/gemm_kernels.hpp"
#include "executor/app/program.hpp"

int main(int argc, char** argv) {
  trainwright::executor::use_suitable_gemm_kernels(argv);
  return trainwright::executor::execute_main(argc, argv, trainwright::executor::standard_parts());
}
