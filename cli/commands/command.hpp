// One command of the program: it registers its options, then runs. Commands compute nothing; they ask model, simulator
// and executor, and print.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "cli/options/option_set.hpp"
#include "cli/output/console.hpp"
#include "model/base/error.hpp"

namespace trainwright::cli {

class Command {
 public:
  virtual ~Command() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string summary() const = 0;
  virtual void add_options(OptionSet& options) = 0;
  /// Called when all options were good one by one. Throws InputError and EnvironmentError.
  [[nodiscard]] virtual model::ExitCode run(Console& console, std::stop_token stop) = 0;

  /// --json: the result on standard output is JSON and nothing else.
  bool json = false;
};

}  // namespace trainwright::cli
