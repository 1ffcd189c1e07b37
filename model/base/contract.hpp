// Always-on checks of our own promises. A broken one is a bug in Trainwright: it prints the expression, the values and
// the place, and aborts. Never used on input: bad input is a Diagnostic (see diagnostic.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace trainwright::model {

[[noreturn]] void contract_violation(const char* kind, const char* expression, const std::string& values,
                                     const char* file, int line);

}  // namespace trainwright::model

#define TRAINWRIGHT_EXPECTS(condition, values)                                                            \
  do {                                                                                                    \
    if (!(condition)) [[unlikely]]                                                                        \
      ::trainwright::model::contract_violation("precondition", #condition, (values), __FILE__, __LINE__); \
  } while (false)

#define TRAINWRIGHT_ENSURES(condition, values)                                                             \
  do {                                                                                                     \
    if (!(condition)) [[unlikely]]                                                                         \
      ::trainwright::model::contract_violation("postcondition", #condition, (values), __FILE__, __LINE__); \
  } while (false)
