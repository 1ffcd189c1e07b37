// From what a user types (profile ids, files, choices) to a checked plan. Command line and window share this.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/base/diagnostic.hpp"
#include "model/plan/resolve.hpp"

namespace trainwright::model {

struct PlanRequest {
  std::string model;    ///< profile id, profile file or Hugging Face config.json
  std::string cluster;  ///< profile id, profile file or "local"
  std::optional<std::filesystem::path> calibration = {};
  PlanChoices choices = {};
};

/// Loads model, cluster and calibration, resolves and checks. Empty when anything is wrong: `problems` then says all
/// that could be found out, of the files and of the choices. Throws EnvironmentError when "local" cannot be found out.
[[nodiscard]] std::optional<Plan> resolve_request(const PlanRequest& request, const std::string& source,
                                                  Diagnostics& problems);

/// The plan of a file, with a calibration and choices laid over it.
[[nodiscard]] std::optional<Plan> load_plan_with(const std::filesystem::path& file,
                                                 const std::optional<std::filesystem::path>& calibration,
                                                 const PlanChoices& choices, const std::string& source,
                                                 Diagnostics& problems);

}  // namespace trainwright::model
