// The estimators `folded` and `full`: an Estimator that starts trainwright-simulate for each plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "model/estimate/estimator.hpp"
#include "simulator/client/report.hpp"
#include "simulator/client/request.hpp"

namespace trainwright::simulator {

struct SimulationOptions {
  std::optional<std::filesystem::path> worker;       ///< empty: find_simulation_worker()
  std::optional<std::chrono::milliseconds> timeout;  ///< empty: as long as it takes
  bool keep_timeline = false;                        ///< of an estimator: whether estimates have one
};

/// Runs one request in a worker process. Empty when stopped. Throws InputError if the worker refuses the request,
/// EnvironmentError if it cannot be started, takes too long, dies or answers nonsense.
[[nodiscard]] std::optional<SimulationReport> simulate_in_worker(const SimulationRequest& request, std::stop_token stop,
                                                                 const model::Progress& progress,
                                                                 const SimulationOptions& options);

/// The report as an estimate of the plan, completed like every other (model/estimate/complete_estimate).
[[nodiscard]] model::Estimate to_estimate(const SimulationReport& report, const model::Plan& plan);

class SimulatedEstimator final : public model::Estimator {
 public:
  /// `kind`: folded or full.
  explicit SimulatedEstimator(model::EstimatorKind kind, SimulationOptions options = {});

  [[nodiscard]] std::optional<model::Estimate> estimate(const model::Plan& plan, std::stop_token stop,
                                                        const model::Progress& progress) const override;

 private:
  model::EstimatorKind kind_;
  SimulationOptions options_;
};

}  // namespace trainwright::simulator
