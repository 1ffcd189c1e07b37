// A build without Gloo and OpenBLAS.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "executor/app/cpu_parts.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {

std::vector<BackendParts> cpu_backends() {
  return {};
}

int measure_command(int, char**) {
  std::cerr << "the micro-benchmarks are not built into this program: they need Gloo and OpenBLAS\n";
  return static_cast<int>(model::ExitCode::environment);
}

void prepare_process(char**) {}

}  // namespace trainwright::executor
