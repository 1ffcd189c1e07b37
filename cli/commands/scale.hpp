// `trainwright scale`: how throughput and efficiency of a plan change with the number of GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/commands/command.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::cli {

class ScaleCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "scale"; }
  [[nodiscard]] std::string summary() const override {
    return "Scaling efficiency of a plan over numbers of GPUs, and where more stop paying";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::filesystem::path> plan_;
  std::optional<std::filesystem::path> calibration_;
  std::optional<std::vector<std::int64_t>> gpus_;
  std::optional<model::EstimatorKind> estimator_;
  bool weak_ = false;
  bool strong_ = false;
};

}  // namespace trainwright::cli
