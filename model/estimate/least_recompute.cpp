// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/least_recompute.hpp"

#include <algorithm>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

bool fits(Plan& plan, Recompute recompute, int layers) {
  plan.layout.recompute = recompute;
  plan.layout.recompute_layers = layers;
  return estimate_memory(plan, stage_models(plan)).verdict != MemoryVerdict::does_not_fit;
}

int most_layers(const Plan& plan) {
  int most = 0;
  for (const LayerRange& range : layer_ranges(layer_count(plan.model), plan.layout))
    most = std::max(most, range.size());
  return most;
}

// Sets the plan; returns what it does, in words.
std::string choose(Plan& plan) {
  if (fits(plan, Recompute::none, 0))
    return "none";
  // Fused attention stores no scores: selective would change nothing.
  if (plan.job.attention == AttentionKernel::unfused && fits(plan, Recompute::selective, 0))
    return "selective";
  const int all = most_layers(plan);
  int below = 0;
  int enough = all;
  while (enough - below > 1) {
    const int middle = (below + enough) / 2;
    (fits(plan, Recompute::full, middle) ? enough : below) = middle;
  }
  plan.layout.recompute = Recompute::full;
  plan.layout.recompute_layers = enough == all ? 0 : enough;
  return enough == all
             ? "full"
             : "full for " + std::to_string(enough) + " of " + std::to_string(all) + " layers of a virtual stage";
}

}  // namespace

Plan with_least_recompute(Plan plan) {
  const std::string words = choose(plan);
  plan.assumptions.push_back("recomputation is not stated; the least that fits: " + words);
  return plan;
}

}  // namespace trainwright::model
