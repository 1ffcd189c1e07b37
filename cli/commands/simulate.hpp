// `trainwright simulate`: a saved plan in the simulator, with a timeline of every task.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "cli/commands/command.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::cli {

class SimulateCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "simulate"; }
  [[nodiscard]] std::string summary() const override { return "Run a plan in the simulator, with a timeline"; }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::filesystem::path> plan_;
  std::optional<std::filesystem::path> calibration_;
  std::optional<model::EstimatorKind> estimator_;
  std::optional<std::filesystem::path> trace_;
};

}  // namespace trainwright::cli
