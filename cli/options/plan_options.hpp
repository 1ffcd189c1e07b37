// The options that say what to predict: model, cluster, plan file, calibration, layout and job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/option_set.hpp"
#include "model/io/plan_request.hpp"

namespace trainwright::cli {

struct PlanOptions {
  std::optional<std::string> model;
  std::optional<std::string> cluster;
  std::optional<std::filesystem::path> plan;
  std::optional<std::filesystem::path> calibration;
  model::PlanChoices choices;

  void add_to(OptionSet& options);
};

/// The plan these options mean, with every problem of files, layout and job in `problems`; empty on an error.
[[nodiscard]] std::optional<model::Plan> plan_from(const PlanOptions& options, model::Diagnostics& problems);

}  // namespace trainwright::cli
