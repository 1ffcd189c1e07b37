// Rates of matrix products and of memory traffic on this machine, measured as the executor runs them
// (kernels/cpu_kernels) while the other ranks of the machine do the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "executor/measurement/sampling.hpp"
#include "model/graph/task.hpp"

namespace trainwright::executor {

struct ComputePlan {
  std::vector<model::GemmWork> gemm;
  std::vector<model::GemmWork> gemm_alone;  ///< also on one rank while the others wait
  std::vector<std::int64_t> memory_bytes;   ///< traffic, half read and half written
  std::uint64_t seed = 1;                   ///< of the order of the points
  bool cores_are_own = true;                ///< each rank has a core: waiting for one is a disturbance
  PointRules rules;
  model::Seconds end = model::Seconds::zero();  ///< on the steady clock of the group
};

/// Shapes from 32 to 2048 in each direction: squares, and the long and thin ones of training steps.
[[nodiscard]] std::vector<model::GemmWork> gemm_shapes(bool quick);
/// Squares, to see what company costs.
[[nodiscard]] std::vector<model::GemmWork> gemm_shapes_alone(bool quick);
[[nodiscard]] std::vector<std::int64_t> memory_sizes(bool quick);

/// What one rank allocates to measure these points.
[[nodiscard]] model::ByteCount compute_memory(const std::vector<model::GemmWork>& gemm,
                                              const std::vector<std::int64_t>& memory_bytes);

/// Together.
void measure_compute(RankContext& context, const ComputePlan& plan);

}  // namespace trainwright::executor
