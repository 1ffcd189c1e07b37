// `trainwright quickstart`: the whole loop on this machine: plan, predict, simulate, measure, execute, calibrate,
// predict again, and the table of predicted against measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "cli/commands/command.hpp"

namespace trainwright::cli {

class QuickstartCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "quickstart"; }
  [[nodiscard]] std::string summary() const override {
    return "The whole loop on this machine: predict, execute, calibrate, predict again";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::string> model_;
  std::optional<std::filesystem::path> run_dir_;
  std::optional<std::int64_t> steps_;
};

}  // namespace trainwright::cli
