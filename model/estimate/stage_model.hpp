// A pipeline stage in numbers: times of its forward and backward pass of one micro-batch, parameters, saved bytes.
// Built from the same lowering as the execution graph, without building the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/estimate/chain_time.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// What the tasks of a chain hold: at its end and at its fullest moment, relative to its beginning.
struct ChainMemory {
  using Terms = std::array<ByteCount, kMemoryTermCount>;
  Terms net{};                 ///< negative where more is freed than allocated
  Terms at_peak{};             ///< at the fullest moment
  ByteCount peak;              ///< sum of at_peak; 0 if nothing is ever held beyond the beginning
  Pass phase = Pass::forward;  ///< of the task at the peak
  /// Continues with what comes after.
  ChainMemory& operator+=(const ChainMemory& next);
};
[[nodiscard]] ChainMemory chain_memory(const std::vector<Task>& tasks);

struct StageModel {
  std::vector<ChainTime> forward_parts;          ///< in forward order
  std::vector<ChainTime> backward_parts;         ///< in backward order
  std::vector<ChainTime> backward_input_parts;   ///< of schedules that put weight gradients off, in backward order
  std::vector<ChainTime> backward_weight_parts;  ///< likewise
  std::vector<PartParameters> part_parameters;   ///< in backward order
  ChainTime forward;
  ChainTime backward;
  ChainTime backward_split;  ///< both gradients, those of the weights put off
  PartParameters parameters;
  ChainMemory forward_memory;  ///< of one micro-batch; its net stays until the backward pass
  ChainMemory backward_memory;
  Flops matrix_flops = Flops::zero();  ///< executed, forward and backward of one micro-batch
};

/// Virtual stages that hold the same layers share one model; indices by virtual stage (model/plan/pipeline_shape).
struct StageModels {
  std::vector<StageModel> distinct;
  std::vector<std::size_t> of_virtual_stage;
  [[nodiscard]] const StageModel& at(int virtual_stage) const {
    return distinct[of_virtual_stage[static_cast<std::size_t>(virtual_stage)]];
  }
};

[[nodiscard]] StageModels stage_models(const Plan& plan);

}  // namespace trainwright::model
