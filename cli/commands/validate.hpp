// `trainwright validate`: predictions against tables of published measurements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/command.hpp"
#include "model/estimate/estimate.hpp"
#include "model/validation/statistics.hpp"
#include "model/validation/table.hpp"

namespace trainwright::cli {

class ValidateCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "validate"; }
  [[nodiscard]] std::string summary() const override {
    return "Predictions against tables of published measurements, with error statistics";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  [[nodiscard]] std::vector<model::validation::RowResult> results(const std::vector<model::validation::Table>& tables,
                                                                  Console& console, std::stop_token stop) const;
  [[nodiscard]] std::vector<model::validation::RowResult> kernel_results(
      const std::vector<model::validation::Table>& tables) const;

  void write_step_constants(const std::vector<model::validation::Table>& tables) const;

  std::vector<std::string> tables_;
  std::optional<std::filesystem::path> calibration_;
  std::optional<std::int64_t> shots_;
  std::optional<std::int64_t> seed_;
  std::optional<model::EstimatorKind> estimator_;
  std::optional<std::filesystem::path> out_;
  std::optional<std::int64_t> max_median_pct_;
  std::optional<std::int64_t> hold_out_;
  std::optional<std::filesystem::path> fit_kernels_;
  std::optional<std::filesystem::path> fit_steps_;
  bool cross_validate_ = false;
  bool rows_ = false;
  bool markdown_ = false;
};

}  // namespace trainwright::cli
