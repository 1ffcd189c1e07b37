// SPDX-License-Identifier: Apache-2.0
#include "model/plan/resolve.hpp"

namespace trainwright::model {
namespace {

template <class T, class U>
std::optional<T> stated_or(const std::optional<T>& stated, const U& value) {
  return stated ? stated : std::optional<T>(static_cast<T>(value));
}

/// Everything the plan says, as if the user had said it; what `choices` states wins.
PlanChoices merged(const Plan& plan, const PlanChoices& choices) {
  const Layout& layout = plan.layout;
  const Job& job = plan.job;
  PlanChoices all = choices;
  const bool degrees_change = choices.tp || choices.pp || choices.cp;
  if (!choices.gpus && !choices.dp) {
    if (degrees_change)
      all.gpus = world_size(layout);
    else
      all.dp = layout.dp;
  }
  all.tp = stated_or(choices.tp, layout.tp);
  all.pp = stated_or(choices.pp, layout.pp);
  all.cp = stated_or(choices.cp, layout.cp);
  all.ep = stated_or(choices.ep, layout.ep);
  all.etp = stated_or(choices.etp, layout.etp);
  if (!choices.layers_per_chunk)
    all.vpp = stated_or(choices.vpp, layout.vpp);
  all.sequence_parallel = stated_or(choices.sequence_parallel, layout.sequence_parallel);
  all.zero = stated_or(choices.zero, layout.zero);
  all.zero_group = stated_or(choices.zero_group, layout.zero_group);
  if (!choices.vpp && !choices.layers_per_chunk)  // another vpp asks for its own schedule
    all.schedule = stated_or(choices.schedule, layout.schedule);
  all.recompute = stated_or(choices.recompute, layout.recompute);
  all.cp_kind = stated_or(choices.cp_kind, layout.cp_kind);
  all.overlap_gradients = stated_or(choices.overlap_gradients, layout.overlap_gradients);
  all.bucket = stated_or(choices.bucket, layout.bucket);
  all.overlap_parameters = stated_or(choices.overlap_parameters, layout.overlap_parameters);
  all.reshard_after_forward = stated_or(choices.reshard_after_forward, layout.reshard_after_forward);
  if (!choices.sequence_parallel && !choices.tp)
    all.tensor_chunks = stated_or(choices.tensor_chunks, layout.tensor_chunks);
  if (!choices.recompute)
    all.recompute_layers = stated_or(choices.recompute_layers, layout.recompute_layers);
  all.gathers_in_flight = stated_or(choices.gathers_in_flight, layout.gathers_in_flight);
  // An uneven split belongs to its number of stages.
  if (!choices.stage_layers && !choices.pp && !choices.vpp && !layout.stage_layers.empty())
    all.stage_layers.emplace(layout.stage_layers.begin(), layout.stage_layers.end());
  // Of the batch identity two terms hold still and the third follows.
  if (!(choices.micro_batch && choices.micro_batches))
    all.global_batch = stated_or(choices.global_batch, job.global_batch);
  if (!choices.micro_batches)
    all.micro_batch = stated_or(choices.micro_batch, layout.micro_batch);
  all.seq_len = stated_or(choices.seq_len, job.seq_len);
  all.precision = stated_or(choices.precision, job.precision);
  all.optimizer = stated_or(choices.optimizer, job.optimizer);
  all.attention = stated_or(choices.attention, job.attention);
  all.framework = stated_or(choices.framework, job.framework);
  all.year = stated_or(choices.year, job.year);
  all.expert_imbalance = stated_or(choices.expert_imbalance, job.expert_imbalance);
  if (!choices.expert_capacity)
    all.expert_capacity = job.expert_capacity;
  all.sequence_fill = stated_or(choices.sequence_fill, job.sequence_fill);
  all.loss_share = stated_or(choices.loss_share, job.loss_share);
  if (!choices.steps)
    all.steps = job.steps;
  return all;
}

}  // namespace

std::optional<Plan> revise_plan(const Plan& plan, const PlanChoices& choices, const std::string& source,
                                Diagnostics& problems) {
  if (choices == PlanChoices{}) {
    const Diagnostics found = check_plan(plan, source);
    problems.append(found);
    return found.has_errors() ? std::nullopt : std::optional<Plan>(plan);
  }
  std::optional<Plan> revised =
      resolve_plan(plan.model, plan.cluster, plan.constants, merged(plan, choices), source, problems);
  // The plan's own list would be stale: its lines quote values that have changed.
  if (revised)
    revised->assumptions.insert(revised->assumptions.begin(),
                                "what is not stated on the " + source + " is as in the plan");
  return revised;
}

}  // namespace trainwright::model
