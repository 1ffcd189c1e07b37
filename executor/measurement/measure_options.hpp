// Options of `measure`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/units/units.hpp"

namespace trainwright::executor {

struct MeasureOptions {
  std::optional<int> ranks;  ///< left out: one for each core this process may use
  std::filesystem::path out = "measurement.json";
  model::Seconds budget = model::Seconds(30);
  bool quick = false;                   ///< fewer points
  std::filesystem::path run_dir = ".";  ///< whose storage is measured
  bool help = false;
};

/// `words` come after the name of the command. Throws InputError with everything that is wrong.
[[nodiscard]] MeasureOptions parse_measure_options(const std::vector<std::string>& words);

[[nodiscard]] std::string measure_help();

}  // namespace trainwright::executor
