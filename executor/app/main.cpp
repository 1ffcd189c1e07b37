// SPDX-License-Identifier: Apache-2.0
#include "executor/app/cpu_parts.hpp"
#include "executor/app/program.hpp"

int main(int argc, char** argv) {
  trainwright::executor::prepare_process(argv);
  return trainwright::executor::execute_main(argc, argv, trainwright::executor::standard_parts());
}
