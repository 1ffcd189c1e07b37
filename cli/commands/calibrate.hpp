// `trainwright calibrate`: fits cost constants to measurements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "cli/commands/command.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::cli {

class CalibrateCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "calibrate"; }
  [[nodiscard]] std::string summary() const override { return "Fit cost constants to measurements"; }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::vector<std::string> measurements_;
  std::optional<std::string> cluster_;
  std::optional<model::EstimatorKind> estimator_;
  std::optional<std::filesystem::path> out_;
};

}  // namespace trainwright::cli
