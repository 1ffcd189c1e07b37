// The exceptions of the program. Bad input: InputError with everything that is wrong. A failing machine, library or
// file system: EnvironmentError. "Does not fit" and "cancelled" are results, not exceptions. docs/errors.md is the
// policy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "model/base/diagnostic.hpp"

namespace trainwright::model {

/// Command-line contract: what a process ends with.
enum class ExitCode : int {
  done = 0,
  answer_is_no =
      1,  ///< ran, but the answer is no: does not fit, validation limit missed, interrupted with a partial result
  bad_input = 2,
  environment = 3,  ///< missing GPU, library, permission, disk space, port
};

class InputError : public std::runtime_error {
 public:
  explicit InputError(Diagnostics diagnostics)
      : std::runtime_error(diagnostics.to_text()), diagnostics_(std::move(diagnostics)) {}
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// A call to the system or to a library failed. what() is one line: what was tried, the reason, and the hint.
class EnvironmentError : public std::runtime_error {
 public:
  explicit EnvironmentError(const std::string& what_failed, const std::string& hint = {})
      : std::runtime_error(hint.empty() ? what_failed : what_failed + "; " + hint) {}
};

/// Throws InputError if the list holds an error; warnings stay with the caller.
inline void throw_if_errors(const Diagnostics& diagnostics) {
  if (diagnostics.has_errors())
    throw InputError(diagnostics);
}

}  // namespace trainwright::model
