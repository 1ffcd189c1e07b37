// What a simulation answers: the report document of trainwright-simulate (docs/formats/simulation_v1.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::simulator {

struct SimulationCounts {
  std::int64_t ranks = 0;
  std::int64_t simulated_ranks = 0;
  std::int64_t tasks = 0;  ///< of all ranks
  std::int64_t items = 0;  ///< what the engine saw of the tasks of the simulated ranks
  std::int64_t actors = 0;
  std::int64_t flows = 0;  ///< rehearsed and in the step
  friend bool operator==(const SimulationCounts&, const SimulationCounts&) = default;
};

struct SimulationReport {
  model::EstimatorKind estimator = model::EstimatorKind::folded;  ///< as really run
  model::Seconds step = model::Seconds::zero();
  model::Breakdown breakdown{};  ///< sums to the step
  std::vector<model::Seconds> stage_busy;
  std::vector<std::string> assumptions;
  std::optional<model::Timeline> timeline;
  SimulationCounts counts;
  std::string engine;                                         ///< "SimGrid 3.32"
  std::vector<std::pair<std::string, std::string>> settings;  ///< of the engine, by name, each that changes a number
};

[[nodiscard]] std::string to_report_json(const SimulationReport& report);
[[nodiscard]] SimulationReport report_from_json(std::string_view text, const std::string& source,
                                                model::Diagnostics& diagnostics);

}  // namespace trainwright::simulator
