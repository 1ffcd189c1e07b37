// `trainwright doctor`: what this machine can do and what is missing, with the fix.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/command.hpp"

namespace trainwright::cli {

class DoctorCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "doctor"; }
  [[nodiscard]] std::string summary() const override {
    return "What this machine can do and what is missing, with the fix";
  }
  void add_options(OptionSet&) override {}
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;
};

}  // namespace trainwright::cli
