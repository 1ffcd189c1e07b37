// A pipeline stage in numbers: times of its forward and backward pass of one micro-batch, parameters, saved bytes.
// Built from the same lowering as the execution graph, without building the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/lowering.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// Time of a chain on one rank whose TP group runs in step: total = compute + exposed.
struct ChainTime {
  Seconds total = Seconds::zero();
  Seconds compute = Seconds::zero();
  Seconds exposed_tensor = Seconds::zero();
};

struct StageModel {
  std::vector<ChainTime> forward_parts;          ///< in forward order
  std::vector<ChainTime> backward_parts;         ///< in backward order
  std::vector<ChainTime> backward_input_parts;   ///< of schedules that put weight gradients off, in backward order
  std::vector<ChainTime> backward_weight_parts;  ///< likewise
  std::vector<PartParameters> part_parameters;   ///< in backward order
  ChainTime forward;
  ChainTime backward;
  ChainTime backward_split;  ///< both gradients, those of the weights put off
  std::int64_t parameters = 0;
  ByteCount saved_activations;         ///< of one micro-batch
  ByteCount logits;                    ///< of one micro-batch
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
