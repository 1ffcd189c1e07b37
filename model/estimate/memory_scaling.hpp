// Which parts of the peak shrink when data-parallel ranks are added and which stay, and what is left with many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

struct TermScaling {
  MemoryTerm term = MemoryTerm::weights;
  ByteCount now;
  ByteCount doubled;        ///< with twice the data-parallel ranks and the same micro-batch
  bool is_sharded = false;  ///< shrinks as 1 / N
};

struct MemoryScaling {
  std::vector<TermScaling> terms;  ///< of the fullest stage, none of 0 bytes
  ByteCount floor;                 ///< of the peak, however many ranks
};

/// Precondition: check_plan found no error.
[[nodiscard]] MemoryScaling memory_scaling(const Plan& plan);

/// Measured peaks against micro-batches a step. Under 1F1B they must not grow: a slope is memory that is not given
/// back.
struct BatchSlope {
  double bytes_per_micro_batch = 0.0;  ///< least squares
  double at_zero = 0.0;
  [[nodiscard]] double at(double micro_batches) const { return at_zero + bytes_per_micro_batch * micro_batches; }
  /// More than 1 % of the first peak for each further micro-batch is no noise of an allocator.
  [[nodiscard]] bool is_unexpected() const;
};
struct PeakPoint {
  double micro_batches = 0.0;
  double bytes = 0.0;
};
/// Precondition: two points or more, with different numbers of micro-batches.
[[nodiscard]] BatchSlope memory_slope(const std::vector<PeakPoint>& points);

}  // namespace trainwright::model
