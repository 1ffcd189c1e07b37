// The estimator of a kind: in this process for the closed form, as a worker process for the simulated ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/estimate/estimator.hpp"

namespace trainwright::cli {

/// Simulated estimates throw EnvironmentError when trainwright-simulate is missing.
/// `with_timeline`: simulated estimates carry who did what when.
[[nodiscard]] std::unique_ptr<model::Estimator> make_estimator(model::EstimatorKind kind, bool with_timeline);

}  // namespace trainwright::cli
