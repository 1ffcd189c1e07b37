// What a simulation is asked for: the request document of trainwright-simulate (docs/formats/simulation_v1.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::simulator {

struct EngineSettings {
  double time_precision_s = 1e-12;  ///< events closer than this coincide ("surf/precision")
  double sharing_precision = 1e-9;  ///< of the max-min solver ("maxmin/precision")
  int stack_kib = 128;              ///< of one actor
  std::string context_factory;      ///< "raw", "boost", "ucontext", "thread"; empty: SimGrid's choice
  bool fuse = true;                 ///< false: no segments, every task an activity (slow; to check the fusion)
  friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

/// Slow-down of the compute of one rank: 2.0 takes twice as long. A straggler.
struct RankSlowdown {
  model::RankId rank = model::RankId(0);
  double factor = 1.0;
  friend bool operator==(const RankSlowdown&, const RankSlowdown&) = default;
};

struct SimulationRequest {
  model::Plan plan;
  model::EstimatorKind estimator = model::EstimatorKind::folded;  ///< folded or full
  bool keep_timeline = false;
  int timeline_ranks = 64;  ///< at most so many lanes are kept
  std::vector<RankSlowdown> slowdowns;
  EngineSettings engine;
};

[[nodiscard]] std::string to_request_json(const SimulationRequest& request);

/// Everything wrong with the text goes to `diagnostics`; the result is not to be used if it has errors.
[[nodiscard]] SimulationRequest request_from_json(std::string_view text, const std::string& source,
                                                  model::Diagnostics& diagnostics);

}  // namespace trainwright::simulator
