// The options that say what to predict: model, cluster, plan file, calibration, layout and job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/options/option_set.hpp"
#include "model/io/plan_request.hpp"

namespace trainwright::cli {

/// What `--recompute` takes: a choice of the layout, or the least that fits.
enum class RecomputeWish { none, selective, full, least };
inline constexpr std::array<std::pair<std::string_view, RecomputeWish>, 4> kRecomputeWishWords{
    {{"none", RecomputeWish::none},
     {"selective", RecomputeWish::selective},
     {"full", RecomputeWish::full},
     {"auto", RecomputeWish::least}}};

struct PlanOptions {
  std::optional<std::string> model;
  std::optional<std::string> cluster;
  std::optional<std::filesystem::path> plan;
  std::optional<std::filesystem::path> calibration;
  model::PlanChoices choices;
  std::optional<RecomputeWish> recompute;

  void add_to(OptionSet& options);
};

/// The plan these options mean, with every problem of files, layout and job in `problems`; empty on an error.
[[nodiscard]] std::optional<model::Plan> plan_from(const PlanOptions& options, model::Diagnostics& problems);

}  // namespace trainwright::cli
