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

/// What does not depend on the plan's constants: the tasks of each kind of layer and what they hold. For those who time
/// one plan under many constants.
class LoweredPlan {
 public:
  explicit LoweredPlan(const Plan& plan);

  struct Part {
    TaskChain forward;
    TaskChain backward;
    TaskChain backward_input;  ///< empty unless the schedule puts weight gradients off
    TaskChain backward_weight;
    ChainMemory forward_memory;
    ChainMemory backward_memory;
    PartParameters parameters;
    Flops matrix = Flops::zero();  ///< forward and backward
  };
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// Distinct virtual stages as indices of parts, in forward order.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& stages() const { return stages_; }
  [[nodiscard]] const std::vector<std::size_t>& of_virtual_stage() const { return of_virtual_stage_; }
  [[nodiscard]] const LayerGroups& groups() const { return groups_; }

 private:
  LayerGroups groups_;
  std::vector<Part> parts_;  // before the layers, after them, each run of equal layers
  std::vector<std::vector<std::size_t>> stages_;
  std::vector<std::size_t> of_virtual_stage_;
};

[[nodiscard]] StageModels stage_models(const Plan& plan);
/// `lowered` is of the same plan, its constants aside.
[[nodiscard]] StageModels stage_models(const Plan& plan, const LoweredPlan& lowered);

}  // namespace trainwright::model
