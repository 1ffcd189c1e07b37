// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <numeric>

#include "model/plan/pipeline_schedule.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/plan_rules.hpp"

namespace trainwright::model {
namespace {

using Violations = std::vector<Violation>;

void add(Violations& list, std::string rule, std::string field, std::string message, std::string hint = {}) {
  Violation violation{std::move(rule), PlanSection::layout, std::move(field), std::move(message), std::move(hint)};
  // Two kinds of layer with the same number break one rule once.
  if (std::find(list.begin(), list.end(), violation) == list.end())
    list.push_back(std::move(violation));
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

std::string name_of(const Model& model) {
  return model.id.empty() ? "the model" : model.id;
}

void tensor_rules(const RuleInput& input, Violations& list) {
  const std::int64_t tp = input.layout.tp;
  const std::int64_t etp = input.layout.etp;
  const bool kv_must_divide = input.job.framework == "torchtitan";
  for (const LayerRun& run : input.model.layers) {
    const AttentionShape& attention = run.layer.attention;
    if (attention.heads % tp != 0)
      add(list, "layout.tp-divides-heads", "tp",
          number(tp) + " does not divide the " + number(attention.heads) + " attention heads of " +
              name_of(input.model) + "; allowed: " + join_numbers(divisors(attention.heads)));
    const std::int64_t kv = attention.kv_heads;
    // As many key/value heads as heads break the rule above only. Latent attention has no key/value heads to split:
    // they are expanded from the latent vector per head.
    if (!attention.latent && kv != attention.heads && kv % tp != 0 && (kv_must_divide || tp % kv != 0)) {
      const std::vector<std::int64_t> smaller = divisors(kv);
      add(list, "layout.tp-fits-kv-heads", "tp",
          number(tp) + " does not divide the " + number(kv) + " key/value heads of " + name_of(input.model) +
              (kv_must_divide ? ", which torchtitan requires"
                              : " and is no multiple of them, which megatron-core requires to replicate them") +
              "; allowed: " + join_numbers(smaller) + (kv_must_divide ? "" : " and multiples of " + number(kv)));
    }
    if (run.layer.mlp && run.layer.mlp->ffn % tp != 0)
      add(list, "layout.tp-divides-ffn", "tp",
          number(tp) + " does not divide the feed-forward width " + number(run.layer.mlp->ffn) + " of " +
              name_of(input.model) + "; allowed: " + join_numbers(divisors(run.layer.mlp->ffn)));
    if (run.layer.moe) {
      const MoeShape& moe = *run.layer.moe;
      if (moe.shared_ffn % tp != 0)
        add(list, "layout.tp-divides-shared-ffn", "tp",
            number(tp) + " does not divide the width " + number(moe.shared_ffn) +
                " of the shared experts; allowed: " + join_numbers(divisors(moe.shared_ffn)));
      if (moe.expert_ffn % etp != 0)
        add(list, "layout.etp-divides-expert-ffn", "etp",
            number(etp) + " does not divide the expert width " + number(moe.expert_ffn) +
                "; allowed: " + join_numbers(divisors(moe.expert_ffn)));
    }
  }
}

/// "4, 8, 8, 8, 8, 8, 8, 8": an uneven split with the lightest stages at the ends, where embedding and head are.
std::string uneven_split(std::int64_t layers, std::int64_t pp) {
  const std::int64_t most = (layers + pp - 1) / pp;
  std::int64_t missing = most * pp - layers;
  std::vector<std::int64_t> stages(static_cast<std::size_t>(pp), most);
  // Taken from both ends inwards, never more than half a stage from one.
  for (std::int64_t distance = 0; missing > 0 && distance < pp; ++distance)
    for (const std::int64_t stage : {distance, pp - 1 - distance}) {
      const std::int64_t taken = std::min(missing, std::max<std::int64_t>(most / 2, 1));
      if (stages[static_cast<std::size_t>(stage)] == most && most - taken >= 1) {
        stages[static_cast<std::size_t>(stage)] -= taken;
        missing -= taken;
      }
    }
  return join_numbers(stages);
}

void stage_layers_rules(const RuleInput& input, Violations& list) {
  const std::vector<int>& stages = input.layout.stage_layers;
  const auto wanted = static_cast<std::size_t>(virtual_stage_count(input.layout));
  const std::int64_t sum = std::accumulate(stages.begin(), stages.end(), std::int64_t{0});
  const std::int64_t layers = layer_count(input.model);
  if (stages.size() != wanted)
    add(list, "layout.stage-layers", "stage_layers",
        "names " + number(static_cast<std::int64_t>(stages.size())) + " virtual stages, the layout has " +
            number(static_cast<std::int64_t>(wanted)) + " (pp x vpp)");
  // First and last have embedding and head to do, those between would have nothing.
  for (std::size_t stage = 1; stage + 1 < stages.size(); ++stage)
    if (stages[stage] == 0) {
      add(list, "layout.stage-layers", "stage_layers",
          "leaves virtual stage " + number(static_cast<std::int64_t>(stage)) +
              " without layers; only the first and the last may have none");
      break;
    }
  if (sum != layers)
    add(list, "layout.stage-layers", "stage_layers",
        "sums to " + number(sum) + ", " + name_of(input.model) + " has " + number(layers) + " layers",
        stages.size() == wanted ? "for example " + uneven_split(layers, static_cast<std::int64_t>(wanted)) : "");
}

void even_layers_rule(const RuleInput& input, Violations& list) {
  const std::int64_t layers = layer_count(input.model);
  const std::int64_t pp = input.layout.pp;
  const std::int64_t vpp = input.layout.vpp;
  const std::int64_t built = layers / (pp * vpp) * pp * vpp;
  if (vpp == 1) {
    std::string message = number(layers) + " layers do not divide into " + number(pp) + " stages: would build " +
                          number(built) + " of " + number(layers) + "; allowed: " + join_numbers(divisors(layers));
    if (pp < layers)
      message += "; or an uneven split: stage_layers " + uneven_split(layers, pp);
    add(list, "layout.layers-divide", "pp", message);
    return;
  }
  std::vector<std::int64_t> allowed;
  for (const std::int64_t chunks : divisors(layers))
    if (layers % (pp * chunks) == 0)
      allowed.push_back(chunks);
  add(list, "layout.layers-divide", "vpp",
      number(layers) + " layers do not divide into " + number(pp) + " stages x " + number(vpp) +
          " chunks: would build " + number(built) + " of " + number(layers) + "; allowed with " + number(pp) +
          " stages: " + (allowed.empty() ? "none" : join_numbers(allowed)));
}

void pipeline_rules(const RuleInput& input, Violations& list) {
  const Layout& layout = input.layout;
  const std::int64_t layers = layer_count(input.model);
  const std::int64_t pp = layout.pp;
  const std::int64_t vpp = layout.vpp;
  if (!layout.stage_layers.empty())
    stage_layers_rules(input, list);
  else if (layers % (pp * vpp) != 0)
    even_layers_rule(input, list);
  const bool interleaved = layout.schedule == PipelineSchedule::interleaved;
  if (vpp > 1 && pp == 1)
    add(list, "layout.vpp-needs-pipeline", "vpp", number(vpp) + " chunks a stage need more than 1 stage; allowed: 1",
        "give --pp above 1 or leave --vpp out");
  if (vpp > 1 && pp > 1 && !interleaved && layout.schedule != PipelineSchedule::dual_pipe)
    add(list, "layout.schedule-fits-vpp", "schedule",
        "only the interleaved schedule runs " + number(vpp) + " chunks a stage; allowed: interleaved");
  if (interleaved && vpp == 1)
    add(list, "layout.schedule-fits-vpp", "schedule", "interleaved needs more than 1 chunk a stage, vpp is 1",
        "give --vpp 2 or the 1f1b schedule");
  const std::int64_t micro_batches_per_pass = layout.micro_batch * layout.dp;
  if (layout.schedule == PipelineSchedule::dual_pipe) {
    if (vpp > 1)
      add(list, "layout.dualpipe", "vpp", "dualpipe holds two chunks a stage by itself; allowed: 1");
    if (pp % 2 != 0)
      add(list, "layout.dualpipe", "pp", "dualpipe needs an even number of stages, pp is " + number(pp));
    const bool is_whole = input.job.global_batch % micro_batches_per_pass == 0;
    const std::int64_t count = is_whole ? micro_batches(layout, input.job.global_batch) : 0;
    if (is_whole && (count % 2 != 0 || count < 2 * pp))
      add(list, "layout.dualpipe", "micro_batch",
          "dualpipe needs an even number of micro-batches, at least 2 x pp = " + number(2 * pp) + "; there are " +
              number(count));
  }
  if (interleaved && vpp > 1 && input.job.global_batch % micro_batches_per_pass == 0) {
    const std::int64_t count = micro_batches(layout, input.job.global_batch);
    if (!fits_interleave_group(layout, count))
      add(list, "layout.interleaved-micro-batches", "micro_batch",
          "interleaved needs a multiple of " + number(interleave_group(layout)) + " micro-batches, there are " +
              number(count) + " (global batch " + number(input.job.global_batch) + " / (micro-batch " +
              number(layout.micro_batch) + " x dp " + number(layout.dp) + "))",
          layout.interleave_group == 0 && count > pp ? "or groups of --interleave-group " + number(count) : "");
  }
}

void recompute_rules(const RuleInput& input, Violations& list) {
  const Layout& layout = input.layout;
  if (layout.recompute_layers == 0)
    return;
  const int layers = layer_count(input.model);
  if (layout.recompute != Recompute::full)
    add(list, "layout.recompute-layers", "recompute_layers",
        number(layout.recompute_layers) + " layers are named, but recomputation is not full",
        "give --recompute full, or leave --recompute-layers out");
  else if (layout.recompute_layers > layers)
    add(list, "layout.recompute-layers", "recompute_layers",
        number(layout.recompute_layers) + " is more than the " + number(layers) + " layers of " + name_of(input.model) +
            "; allowed: 0 (all) to " + number(layers));
}

void sequence_rules(const RuleInput& input, Violations& list) {
  if (input.layout.tensor_chunks > 1 && !input.layout.sequence_parallel)
    add(list, "layout.tensor-chunks-need-sequence-parallel", "tensor_chunks",
        number(input.layout.tensor_chunks) +
            " pieces need sequence parallelism: without it nothing is gathered or scattered",
        "give --sequence-parallel, or leave --tensor-chunks out");
  const Layout& layout = input.layout;
  const std::int64_t seq = input.job.seq_len;
  if (layout.sequence_parallel && layout.tp == 1)
    add(list, "layout.sequence-parallel-needs-tp", "sequence_parallel",
        "sequence parallelism splits over the tensor-parallel group, tp is 1", "give --tp above 1 or leave it off");
  if (layout.sequence_parallel && layout.tp > 1 && seq % (std::int64_t{layout.tp} * layout.cp) != 0) {
    const std::int64_t unit = std::int64_t{layout.tp} * layout.cp;
    add(list, "layout.sequence-parallel-divides-seq-len", "sequence_parallel",
        "the sequence of " + number(seq) + " tokens does not divide by tp x cp = " + number(unit),
        "the next valid length is " + number((seq + unit - 1) / unit * unit));
  }
  if (layout.cp > 1 && seq % (2 * layout.cp) != 0) {
    const std::int64_t unit = std::int64_t{2} * layout.cp;
    add(list, "layout.cp-divides-seq-len", "cp",
        "the sequence of " + number(seq) + " tokens is no multiple of 2 x cp = " + number(unit),
        "the next valid length is " + number((seq + unit - 1) / unit * unit));
  }
}

void ulysses_rules(const RuleInput& input, Violations& list) {
  const Layout& layout = input.layout;
  if (layout.cp == 1 || layout.cp_kind != ContextKind::ulysses)
    return;
  for (const LayerRun& run : input.model.layers) {
    const std::int64_t heads = run.layer.attention.heads / std::max(layout.tp, 1);
    if (heads > 0 && heads % layout.cp != 0)
      add(list, "layout.ulysses-divides-heads", "cp",
          number(layout.cp) + " does not divide the " + number(heads) +
              " attention heads of a tensor-parallel rank of " + name_of(input.model) +
              ", which ulysses exchanges; allowed: " + join_numbers(divisors(heads)),
          "or --cp-kind ring");
  }
}

void expert_rules(const RuleInput& input, Violations& list) {
  const Layout& layout = input.layout;
  const std::int64_t ep = layout.ep;
  const std::int64_t etp = layout.etp;
  const bool has_experts = std::any_of(input.model.layers.begin(), input.model.layers.end(),
                                       [](const LayerRun& run) { return run.layer.moe.has_value(); });
  if (!has_experts) {
    if (ep > 1)
      add(list, "layout.ep-needs-experts", "ep", name_of(input.model) + " has no experts; allowed: 1",
          "leave --ep out");
    if (etp > 1)
      add(list, "layout.ep-needs-experts", "etp", name_of(input.model) + " has no experts; allowed: 1",
          "leave --etp out");
    return;
  }
  for (const LayerRun& run : input.model.layers)
    if (run.layer.moe && run.layer.moe->experts % ep != 0)
      add(list, "layout.ep-divides-experts", "ep",
          number(ep) + " does not divide the " + number(run.layer.moe->experts) + " experts of " +
              name_of(input.model) + "; allowed: " + join_numbers(divisors(run.layer.moe->experts)));
  if (layout.tp > 1 && !layout.sequence_parallel && input.job.framework.rfind("megatron", 0) == 0)
    list.push_back({"layout.experts-need-sequence-parallel", PlanSection::layout, "sequence_parallel",
                    "megatron-core refuses experts with tp " + number(layout.tp) + " and without sequence parallelism",
                    "give --sequence-parallel", Severity::warning});
  // Experts regroup the ranks of a stage: Megatron-Core requires world % (etp x ep x pp) = 0, torchtitan the same with
  // etp 1.
  const std::int64_t ranks_of_stage = std::int64_t{layout.dp} * layout.cp * layout.tp;
  if (ranks_of_stage % (ep * etp) != 0)
    add(list, "layout.ep-fits-ranks", "ep",
        "ep " + number(ep) + " x etp " + number(etp) + " = " + number(ep * etp) + " does not divide the " +
            number(ranks_of_stage) +
            " ranks of a stage (dp x cp x tp); the world must be a multiple of etp x ep x pp = " +
            number(ep * etp * layout.pp) + "; allowed ep x etp: " + join_numbers(divisors(ranks_of_stage)));
}

void sharding_rules(const RuleInput& input, Violations& list) {
  const Layout& layout = input.layout;
  const std::int64_t group = std::int64_t{layout.dp} * layout.cp;
  if (layout.zero_group != 0 && layout.zero == 0)
    add(list, "layout.zero-group-needs-zero", "zero_group",
        "a shard group of " + number(layout.zero_group) + " needs sharding, zero is 0", "give --zero 1, 2 or 3");
  if (layout.zero_group != 0 && layout.zero > 0 && group % layout.zero_group != 0)
    add(list, "layout.zero-group-divides-dp", "zero_group",
        number(layout.zero_group) + " does not divide the " + number(group) +
            " data-parallel ranks (dp x cp); allowed: " + join_numbers(divisors(group)));
  const bool has_exchange =
      layout.compression != Compression::none || layout.sync_every > 1 || layout.parameter_servers > 0;
  if (has_exchange && layout.zero > 0)
    add(list, "layout.exchange-needs-whole-states", "zero",
        "compressed gradients, parameter servers and local steps need whole states on every rank, zero is " +
            number(layout.zero) + "; allowed: 0",
        "give --zero 0, or leave --compression, --sync-every and --parameter-servers out");
  if (layout.parameter_servers > 0 && layout.offload_optimizer)
    add(list, "layout.servers-hold-the-optimizer", "offload_optimizer",
        "with parameter servers the optimizer is theirs", "leave --offload-optimizer out");
  if (layout.offload_parameters && layout.zero < 3)
    add(list, "layout.offload-parameters-needs-zero-3", "offload_parameters",
        "parameters are sharded for the host only by stage 3, zero is " + number(layout.zero) + "; allowed: 3",
        "give --zero 3 or leave it off");
  if (layout.offload_activations && layout.recompute != Recompute::full)
    add(list, "layout.offload-activations-needs-recompute", "offload_activations",
        "what goes to the host are the layers' inputs under full recomputation; allowed recompute: full",
        "give --recompute full or leave it off");
  if (layout.zero >= 2 && layout.pp > 1) {
    const bool is_refused = input.job.framework == "deepspeed" || input.job.framework == "megatron-deepspeed";
    list.push_back({"layout.zero-with-pipeline", PlanSection::layout, "zero",
                    "stage " + number(layout.zero) + " with pp " + number(layout.pp) +
                        ": gradients are reduced after every micro-batch, not once a step, and deepspeed refuses it; "
                        "allowed: 0, 1",
                    "stage 1 keeps the pipeline's communication as it is",
                    is_refused ? Severity::error : Severity::warning});
  }
  if (layout.zero >= 1 && group == 1)
    list.push_back({"layout.zero-needs-replicas", PlanSection::layout, "zero",
                    "nothing to shard: one data-parallel rank", "leave --zero out", Severity::warning});
}

}  // namespace

std::vector<Violation> check_layout_rules(const RuleInput& input) {
  Violations list;
  tensor_rules(input, list);
  pipeline_rules(input, list);
  recompute_rules(input, list);
  sequence_rules(input, list);
  ulysses_rules(input, list);
  expert_rules(input, list);
  sharding_rules(input, list);
  return list;
}

std::vector<Violation> check_batch_rules(const RuleInput& input) {
  const Layout& layout = input.layout;
  const std::int64_t global = input.job.global_batch;
  const std::int64_t per_pass = layout.micro_batch * layout.dp;
  if (global % per_pass == 0)
    return {};
  const std::int64_t below = global / per_pass * per_pass;
  std::string hint;
  std::string message = number(global) + " is not micro-batch " + number(layout.micro_batch) + " x dp " +
                        number(layout.dp) + " x a whole number of micro-batches";
  if (global % layout.dp == 0)
    hint = "with dp " + number(layout.dp) + " the micro-batch may be " + join_numbers(divisors(global / layout.dp));
  else
    hint = below > 0 ? "nearest global batches: " + number(below) + " and " + number(below + per_pass)
                     : "the smallest global batch is " + number(per_pass);
  return {{"job.global-batch", PlanSection::job, "global_batch", std::move(message), std::move(hint)}};
}

}  // namespace trainwright::model
