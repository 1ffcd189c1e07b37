// `trainwright predict`: step time, memory and bottleneck of a plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "cli/commands/command.hpp"
#include "cli/options/plan_options.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::cli {

class PredictCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "predict"; }
  [[nodiscard]] std::string summary() const override {
    return "Step time, efficiency, memory and bottleneck of a plan";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  PlanOptions plan_;
  std::optional<model::EstimatorKind> estimator_;
  std::optional<std::filesystem::path> save_;
};

}  // namespace trainwright::cli
