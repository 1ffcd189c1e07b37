// Program `trainwright`.
// SPDX-License-Identifier: Apache-2.0
#include "cli/app/program.hpp"

int main(int argc, char** argv) {
  return trainwright::cli::run_program(argc, argv);
}
