// SPDX-License-Identifier: Apache-2.0
#include "model/plan/state_recipe.hpp"

namespace trainwright::model {

StateRecipe state_recipe(const Job& job) {
  const bool adam = job.optimizer == OptimizerKind::adam;
  const int moments = adam ? 8 : (job.optimizer == OptimizerKind::sgd_momentum ? 4 : 0);
  if (activation_precision(job.precision) == Precision::fp32)
    return {4, 4, 0, moments, 4 + 2 * 4 + 2 * moments};
  // Megatron-DeepSpeed: in fp16 ZeRO's own 16-bit gradients; in bf16 those and an fp32 sum of them (BF16_Optimizer).
  const bool is_deepspeed = job.framework == "megatron-deepspeed";
  const int gradient = is_deepspeed                              ? (job.precision == Precision::fp16 ? 2 : 6)
                       : job.framework.rfind("megatron", 0) == 0 ? 4
                                                                 : 2;
  return {2, gradient, 4, moments, gradient + 2 * 4 + 2 * moments + 2};
}

}  // namespace trainwright::model
