// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/complete_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "model/collective/plausibility.hpp"
#include "model/estimate/memory_advice.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/estimate/step_time.hpp"
#include "model/estimate/utilisation.hpp"
#include "model/units/format.hpp"
#include "model/workload/model_flops.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model {
namespace {

double part(const Estimate& e, StepPart which) {
  return e.breakdown[static_cast<std::size_t>(which)];
}

// Shares of the step that widen the interval: docs/models/uncertainty.md.
struct Shares {
  double host;
  double communication;
  double bubble;
};

Shares shares(const Estimate& e) {
  const double step = e.step.count();
  return {part(e, StepPart::host) / step,
          (part(e, StepPart::exposed_tensor) + part(e, StepPart::exposed_data) + part(e, StepPart::exposed_pipeline) +
           part(e, StepPart::exposed_context) + part(e, StepPart::exposed_expert)) /
              step,
          part(e, StepPart::bubble) / step};
}

// Half-width of the logarithm of the step, 90 %: the scatter of steps like this one, and what their hardest parts add.
double log_half_width(const Plan& plan, const Shares& s) {
  constexpr double kLeastScatter = 0.05;
  constexpr double kHost = 0.16;
  constexpr double kBubble = 0.17;
  const double r = plan.constants.step_log_error;
  if (r > 0.0)
    return 2.32 * std::sqrt(std::pow(0.018, 2) + std::pow(kHost * s.host, 2) + std::pow(0.26 * s.communication, 2) +
                            std::pow(kBubble * s.bubble, 2) + std::pow(0.93 * r, 2));
  const bool guesses_recompute =
      std::any_of(plan.assumptions.begin(), plan.assumptions.end(),
                  [](const std::string& text) { return text.rfind("recomputation: the least that fits", 0) == 0; });
  return 2.4 * std::sqrt(std::pow(std::max(kLeastScatter, plan.constants.step_scatter), 2) +
                         std::pow(kHost * s.host, 2) + std::pow(0.35 * s.communication, 2) +
                         std::pow(kBubble * s.bubble, 2) + (guesses_recompute ? std::pow(0.05, 2) : 0.0));
}

void set_interval(const Plan& plan, Estimate& e) {
  const double half_width = log_half_width(plan, shares(e));
  e.step_low = e.step * std::exp(-half_width);
  e.step_high = e.step * std::exp(half_width);
}

void set_throughput(const Plan& plan, Estimate& e) {
  const auto batch = static_cast<double>(plan.job.global_batch);
  const double seq = static_cast<double>(plan.job.seq_len) * plan.job.sequence_fill;
  const double tokens = batch * seq;
  const int ranks = world_size(plan.layout);
  const int devices = std::min(ranks, device_count(plan.cluster));
  e.model_flops = training_flops(plan.model, std::llround(seq), plan.job.loss_share) * batch;
  e.hardware_flops = hardware_flops(plan);
  e.tokens_per_second = tokens / e.step.count();
  e.model_rate_per_device = e.model_flops / e.step / static_cast<double>(devices);
  const Accelerator& device = plan.cluster.groups.front().accelerator;
  if (const auto peak = device.peak(plan.job.precision)) {
    e.mfu = e.model_rate_per_device / *peak;
    e.hfu = e.hardware_flops / e.step / static_cast<double>(devices) / *peak;
  }
}

using Change = void (*)(Plan&);

struct Resource {
  const char* name;
  Change twice_as_fast;
};

constexpr std::array<Resource, 6> kResources{{
    {"compute",
     [](Plan& p) {
       for (GemmConstants& c : p.constants.gemm)
         c.peak_fraction *= 2.0;
       p.constants.attention.peak_fraction *= 2.0;
     }},
    {"memory bandwidth",
     [](Plan& p) {
       for (NodeGroup& g : p.cluster.groups)
         g.accelerator.memory_bandwidth *= 2.0;
     }},
    {"node link",
     [](Plan& p) {
       for (NodeGroup& g : p.cluster.groups)
         if (g.link)
           g.link->bandwidth *= 2.0;
     }},
    {"network",
     [](Plan& p) {
       for (NodeGroup& g : p.cluster.groups)
         if (g.network)
           g.network->rate *= 2.0;
     }},
    {"communication latency",
     [](Plan& p) {
       for (CollectiveConstants* c : {&p.constants.node_link, &p.constants.network}) {
         c->base_s /= 2.0;
         c->step_s /= 2.0;
         c->transfer_latency_s /= 2.0;
       }
     }},
    {"host",
     [](Plan& p) {
       HostConstants& h = p.constants.host;
       h.task_s /= 2.0;
       h.layer_forward_s /= 2.0;
       h.micro_batch_s /= 2.0;
       h.step_s /= 2.0;
       for (GemmConstants& c : p.constants.gemm)
         c.fixed_s /= 2.0;
       p.constants.attention.fixed_s /= 2.0;
       p.constants.memory_bound.kernel_s /= 2.0;
     }},
}};

Seconds closed_form(const Plan& plan) {
  return step_time(plan, stage_models(plan)).step;
}

// Re-predicted in closed form; a simulated estimate takes the ratio.
void set_what_ifs(const Plan& plan, Estimate& e) {
  const Seconds base = closed_form(plan);
  for (const Resource& resource : kResources) {
    Plan changed = plan;
    resource.twice_as_fast(changed);
    e.what_ifs.push_back({resource.name, 2.0, e.step * (closed_form(changed) / base)});
  }
  std::stable_sort(e.what_ifs.begin(), e.what_ifs.end(),
                   [](const WhatIf& a, const WhatIf& b) { return a.step < b.step; });
  const WhatIf& best = e.what_ifs.front();
  const double gain = 1.0 - best.step / e.step;
  const double bubble = part(e, StepPart::bubble) / e.step.count();
  // A bubble is idle time of the schedule, which no faster resource removes.
  if (bubble > gain && bubble > 0.15)
    e.bottleneck = "pipeline bubble: " + format_fixed(100.0 * bubble, 0) + " % of the step is idle";
  else
    e.bottleneck = best.resource + ": twice as fast would cut the step by " + format_fixed(100.0 * gain, 0) + " %";
}

void consider(const Plan& plan, const Plan& changed, const std::string& action, const std::string& reason,
              Estimate& e) {
  if (check_plan(changed, "").has_errors())
    return;
  const StageModels stages = stage_models(changed);
  const Seconds base = closed_form(plan);
  const Seconds after = e.step * (step_time(changed, stages).step / base);
  const ByteCount peak = estimate_memory(changed, stages).peak;
  constexpr double kWorthSaying = 0.98;
  if (after < e.step * kWorthSaying && peak <= e.memory.capacity)
    e.advice.push_back({action, reason, after, peak});
}

void set_advice(const Plan& plan, Estimate& e) {
  if (plan.layout.pp > 1 && plan.layout.micro_batch % 2 == 0) {
    Plan changed = plan;
    changed.layout.micro_batch /= 2;
    consider(plan, changed, "halve the micro-batch to " + std::to_string(changed.layout.micro_batch),
             "more micro-batches fill the pipeline", e);
  }
  if (plan.job.global_batch % (plan.layout.micro_batch * 2 * plan.layout.dp) == 0) {
    Plan changed = plan;
    changed.layout.micro_batch *= 2;
    consider(plan, changed, "double the micro-batch to " + std::to_string(changed.layout.micro_batch),
             "larger matrix products, fewer launches and messages", e);
  }
  if (plan.layout.tp > 1 && plan.layout.tp % 2 == 0) {
    Plan changed = plan;
    changed.layout.tp /= 2;
    changed.layout.dp *= 2;
    consider(plan, changed,
             "halve tensor parallelism to " + std::to_string(changed.layout.tp) + ", double data parallelism",
             "less exposed communication", e);
  }
  if (plan.layout.pp > 1 && plan.layout.pp % 2 == 0) {
    Plan changed = plan;
    changed.layout.pp /= 2;
    changed.layout.dp *= 2;
    consider(plan, changed,
             "halve the pipeline to " + std::to_string(changed.layout.pp) + " stages, double data parallelism",
             "a smaller bubble", e);
  }
  if (!plan.layout.overlap_gradients && plan.layout.dp > 1) {
    Plan changed = plan;
    changed.layout.overlap_gradients = true;
    consider(plan, changed, "overlap the gradient reduction with the backward pass", "exposed communication", e);
  }
  std::stable_sort(e.advice.begin(), e.advice.end(), [](const Advice& a, const Advice& b) {
    return a.step_after && (!b.step_after || *a.step_after < *b.step_after) && b.step_after.has_value();
  });
  // What does not run has to be mended before it is made faster.
  if (e.memory.verdict != MemoryVerdict::fits) {
    std::vector<Advice> moves = memory_advice(plan, e);
    e.advice.insert(e.advice.begin(), moves.begin(), moves.end());
  }
}

// The experts' exchange is the collective that predictions go wrong on most: what is far above its bound is said.
void check_all_to_all(const Plan& plan, Estimate& e) {
  const auto mixture = std::find_if(plan.model.layers.begin(), plan.model.layers.end(),
                                    [](const LayerRun& run) { return run.layer.moe.has_value(); });
  const Layout& l = plan.layout;
  if (l.ep < 2 || mixture == plan.model.layers.end())
    return;
  const std::int64_t copies = l.micro_batch * (plan.job.seq_len / l.cp) / l.tp * mixture->layer.moe->experts_per_token;
  const Precision precision = activation_precision(plan.job.precision);
  const CollectiveWork work{CollectiveKind::all_to_all, GroupAxis::expert,
                            tensor_bytes(copies * plan.model.hidden, precision), precision};
  const GroupShape shape = group_shape(Placement(l, plan.cluster), plan.cluster, GroupAxis::expert, RankId(0));
  const Seconds time = collective_duration(work, shape, plan.cluster, plan.constants);
  if (const auto problem = implausible_collective(work, shape, plan.cluster, time))
    e.assumptions.push_back("to be checked: " + *problem);
}

}  // namespace

void complete_estimate(const Plan& plan, Estimate& e) {
  set_throughput(plan, e);
  e.memory = estimate_memory(plan, stage_models(plan));
  set_interval(plan, e);
  set_what_ifs(plan, e);
  set_advice(plan, e);
  e.assumptions = plan.assumptions;
  check_all_to_all(plan, e);
  const SoftwareStack stack = software_stack(plan.job, plan.model);
  e.assumptions.insert(e.assumptions.end(), stack.assumptions.begin(), stack.assumptions.end());
  e.assumptions.push_back("constants: " + plan.constants.origin);
  const NodeGroup& node = plan.cluster.groups.front();
  const bool is_measured = plan.constants.step_log_error > 0.0;
  if (node.link && node.link->kind == LinkKind::pcie && world_size(plan.layout) > 1 && !is_measured)
    e.assumptions.emplace_back(
        "uncalibrated, PCIe: which path devices of a node take, and whether peer access helps, differs between boards; "
        "measure it with `trainwright measure`");
}

}  // namespace trainwright::model
