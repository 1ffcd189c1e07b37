// What an executed run tells about single tasks: medians of undisturbed compute tasks, collectives and messages without
// the waiting for late partners, and the gap between tasks. docs/models/calibration.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/calibration/measurement.hpp"
#include "model/collective/collective_cost.hpp"

namespace trainwright::model {

struct ComputeObservation {
  Task task;  ///< one of the equal tasks
  double median_s = 0.0;
  double share = 0.0;  ///< of all observed compute time of the run
};

struct CollectiveObservation {
  CollectiveWork work;
  GroupShape shape;
  double median_s = 0.0;
};

struct TransferObservation {
  ByteCount bytes;
  bool same_node = true;
  double median_s = 0.0;
};

struct RunObservations {
  std::vector<ComputeObservation> compute;
  std::vector<CollectiveObservation> collectives;
  std::vector<TransferObservation> transfers;
  double dispatch_s = 0.0;  ///< median gap between two tasks of the compute stream that wait for nothing else
};

[[nodiscard]] RunObservations observe(const ExecutedRun& run);

[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace trainwright::model
