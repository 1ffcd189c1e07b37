// SPDX-License-Identifier: Apache-2.0
#include "model/base/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace trainwright::model {

void contract_violation(const char* kind, const char* expression, const std::string& values, const char* file,
                        int line) {
  std::fprintf(stderr, "trainwright: %s violated at %s:%d: %s [%s]\nThis is a bug in Trainwright; please report it.\n",
               kind, file, line, expression, values.c_str());
  std::abort();
}

}  // namespace trainwright::model
