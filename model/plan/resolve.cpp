// SPDX-License-Identifier: Apache-2.0
#include "model/plan/resolve.hpp"

#include <algorithm>
#include <string_view>

#include "model/plan/expert_dispatch.hpp"
#include "model/plan/nearest_layout.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/plan/plan_problems.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/resolve_defaults.hpp"
#include "model/plan/resolve_ranks.hpp"
#include "model/units/format.hpp"
#include "model/workload/operator_graph.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model {
namespace {

std::string number(std::int64_t value) {
  return std::to_string(value);
}

// A sequence of the length most published pre-training runs use, where a model could take far longer ones.
constexpr std::int64_t kDefaultMaxSeqLen = 4096;
// Four micro-batches a stage keep the bubble of 1F1B below a fifth: (pp - 1) / (4 pp + pp - 1).
constexpr std::int64_t kDefaultMicroBatchesPerStage = 4;

class Resolver {
 public:
  Resolver(const Model& model, const Cluster& cluster, const CostConstants& constants, const PlanChoices& choices,
           const std::string& source, Diagnostics& problems)
      : choices_(choices), source_(source), problems_(problems) {
    plan_.model = model;
    plan_.cluster = cluster;
    plan_.constants = constants;
  }

  std::optional<Plan> run() {
    Diagnostics found;
    found_ = &found;
    refuse_nonsense();
    if (!found.has_errors()) {
      RankDerivation ranks = derive_ranks(plan_.model, plan_.cluster, choices_, source_, found);
      plan_.cluster = std::move(ranks.cluster);
      plan_.layout = ranks.layout;
      append_assumptions(ranks.assumptions);
      dp_is_known_ = ranks.dp_is_known;
      ranks_ = ranks.ranks;
      derive_layout_switches();
      derive_job();
      const bool batch_is_known = derive_batch();
      found.append(plan_problems(
          plan_, source_,
          {.ranks = ranks_, .batch_is_known = batch_is_known, .batch_is_fixed = choices_.global_batch.has_value()}));
      check_batch_limit(batch_is_known);
      say_counted();
      found = with_way_out(found);
    }
    problems_.append(found);
    if (found.has_errors())
      return std::nullopt;
    return std::move(plan_);
  }

 private:
  void assume(std::string text) { plan_.assumptions.push_back(std::move(text)); }
  void append_assumptions(const std::vector<std::string>& more) {
    plan_.assumptions.insert(plan_.assumptions.end(), more.begin(), more.end());
  }
  void error(PlanSection section, std::string_view field, std::string message, std::string hint, std::string rule) {
    found_->add({Severity::error, source_, field_path(source_, section, field), std::move(message), std::move(hint),
                 std::move(rule)});
  }

  /// Values below their least; everything else would only repeat them.
  void refuse_nonsense() {
    const auto at_least = [&](PlanSection section, std::string_view field, std::optional<std::int64_t> value,
                              std::int64_t min, std::int64_t max) {
      if (value && (*value < min || *value > max))
        error(section, field, number(*value) + " is out of range; allowed: " + number(min) + " to " + number(max), {},
              section == PlanSection::layout ? "layout.range" : "job.range");
    };
    constexpr std::int64_t kDegree = 1 << 20;
    constexpr std::int64_t kGathers = 4096;
    constexpr std::int64_t kMaxTensorChunks = 64;
    constexpr std::int64_t kBatch = std::int64_t{1} << 30;
    at_least(PlanSection::layout, "gpus", choices_.gpus, 1, kDegree);
    at_least(PlanSection::layout, "dp", choices_.dp, 1, kDegree);
    at_least(PlanSection::layout, "tp", choices_.tp, 1, kDegree);
    at_least(PlanSection::layout, "pp", choices_.pp, 1, kDegree);
    at_least(PlanSection::layout, "vpp", choices_.vpp, 1, kDegree);
    at_least(PlanSection::layout, "layers_per_chunk", choices_.layers_per_chunk, 1, kDegree);
    at_least(PlanSection::layout, "cp", choices_.cp, 1, kDegree);
    at_least(PlanSection::layout, "ep", choices_.ep, 1, kDegree);
    at_least(PlanSection::layout, "etp", choices_.etp, 1, kDegree);
    at_least(PlanSection::layout, "zero", choices_.zero, 0, 3);
    at_least(PlanSection::layout, "zero_group", choices_.zero_group, 0, kDegree);
    at_least(PlanSection::layout, "gathers_in_flight", choices_.gathers_in_flight, 1, kGathers);
    if (choices_.stage_layers)
      for (const std::int64_t layers : *choices_.stage_layers)
        at_least(PlanSection::layout, "stage_layers", layers, 0, kDegree);
    at_least(PlanSection::layout, "micro_batch", choices_.micro_batch, 1, kBatch);
    at_least(PlanSection::layout, "micro_batches", choices_.micro_batches, 1, kBatch);
    at_least(PlanSection::job, "global_batch", choices_.global_batch, 1, kBatch);
    at_least(PlanSection::job, "max_batch_tokens", choices_.max_batch_tokens, 1, std::int64_t{1} << 50);
    at_least(PlanSection::job, "seq_len", choices_.seq_len, 1, kBatch);
    at_least(PlanSection::layout, "recompute_layers", choices_.recompute_layers, 0, kDegree);
    at_least(PlanSection::layout, "tensor_chunks", choices_.tensor_chunks, 1, kMaxTensorChunks);
    at_least(PlanSection::job, "year", choices_.year, 0, 2100);
    at_least(PlanSection::layout, "sync_every", choices_.sync_every, 1, kDegree);
    at_least(PlanSection::layout, "parameter_servers", choices_.parameter_servers, 0, kDegree);
    at_least(PlanSection::layout, "interleave_group", choices_.interleave_group, 0, kDegree);
    at_least(PlanSection::job, "loss_chunks", choices_.loss_chunks, 1, kDegree);
    at_least(PlanSection::job, "adapter_rank", choices_.adapter_rank, 0, 1 << 20);
    at_least(PlanSection::job, "steps", choices_.steps, 1, std::int64_t{1} << 40);
    if (plan_.model.layers.empty())
      error(PlanSection::job, "model", "the model has no layers", {}, "model.layers");
    if (plan_.cluster.groups.empty())
      error(PlanSection::cluster, "cluster", "the cluster has no nodes", {}, "cluster.nodes");
  }

  void derive_layout_switches() {
    Layout& layout = plan_.layout;
    layout.sequence_parallel = choices_.sequence_parallel.value_or(false);
    layout.zero = static_cast<int>(choices_.zero.value_or(0));
    layout.zero_group = static_cast<int>(choices_.zero_group.value_or(0));
    layout.recompute = choices_.recompute.value_or(Recompute::none);
    layout.recompute_layers = static_cast<int>(choices_.recompute_layers.value_or(0));
    layout.tensor_chunks = static_cast<int>(
        choices_.tensor_chunks.value_or(default_tensor_chunks(choices_.framework.value_or(""), layout)));
    if (!choices_.tensor_chunks && layout.tensor_chunks > 1)
      assume("tensor-parallel communication runs beside its products in 4 pieces, as in the recipes of this framework");
    layout.cp_kind = choices_.cp_kind.value_or(ContextKind::ring);
    const DataOverlap overlap =
        default_data_overlap(choices_.framework.value_or(Job{}.framework), choices_.year.value_or(0));
    layout.overlap_gradients = choices_.overlap_gradients.value_or(overlap.gradients);
    layout.bucket = choices_.bucket.value_or(default_bucket());
    layout.overlap_parameters = choices_.overlap_parameters.value_or(overlap.parameters);
    layout.reshard_after_forward = choices_.reshard_after_forward.value_or(true);
    if (choices_.gathers_in_flight)
      layout.gathers_in_flight = static_cast<int>(*choices_.gathers_in_flight);
    layout.interleave_group = static_cast<int>(choices_.interleave_group.value_or(0));
    layout.compression = choices_.compression.value_or(Compression::none);
    layout.sync_every = static_cast<int>(choices_.sync_every.value_or(1));
    layout.parameter_servers = static_cast<int>(choices_.parameter_servers.value_or(0));
    layout.offload_optimizer = choices_.offload_optimizer.value_or(false);
    layout.offload_parameters = choices_.offload_parameters.value_or(false);
    layout.offload_activations = choices_.offload_activations.value_or(false);
    if (choices_.stage_layers)
      layout.stage_layers.assign(choices_.stage_layers->begin(), choices_.stage_layers->end());
    layout.schedule =
        choices_.schedule.value_or(layout.vpp > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b);
    layout.overlap_messages = choices_.overlap_messages.value_or(default_message_overlap(
        choices_.framework.value_or(Job{}.framework), choices_.year.value_or(0), layout.vpp > 1));
    if (!choices_.overlap_messages && layout.pp > 1)
      assume(layout.overlap_messages ? "stages compute on while their messages are under way"
                                     : "stages wait for their messages to be received, as this software does");
    if (!choices_.schedule && layout.pp > 1)
      assume(layout.vpp > 1 ? "pipeline schedule: interleaved 1F1B" : "pipeline schedule: 1F1B");
    if (!choices_.sequence_parallel && layout.tp > 1)
      assume("sequence parallelism: off");
    if (!choices_.zero && layout.dp > 1)
      assume("optimizer states are not sharded (zero 0)");
    if (layout.zero >= 1 && layout.zero <= 2 && layout.dp > 1 && !choices_.overlap_parameters)
      assume(layout.overlap_parameters ? "updated parameters are gathered beside the next forward pass"
                                       : "updated parameters are gathered before the next forward pass");
    if (layout.zero == 3 && !choices_.overlap_parameters)
      assume(layout.overlap_parameters
                 ? "parameters are gathered one unit ahead, and again for the backward pass"
                 : "parameters are gathered when they are needed, and again for the backward pass");
    if (!choices_.cp_kind && layout.cp > 1)
      assume("context parallelism: ring attention");
    if (!choices_.recompute)
      assume("activations are kept, not recomputed");
    if (layout.dp > 1 && !choices_.overlap_gradients)
      assume(layout.overlap_gradients ? "gradient communication overlaps the backward pass"
                                      : "gradients are reduced after the backward pass, as this software does");
    if (layout.sync_every > 1)
      assume("times are of the average step: ranks meet in one of " + number(layout.sync_every));
    if (layout.dp > 1 && !choices_.bucket)
      assume("gradient buckets of " + number(layout.bucket.count() / (1024 * 1024)) + " MiB");
  }

  /// DeepSpeed counts elements, 5e8 of them, 16-bit ones in mixed precision (reduce_bucket_size).
  ByteCount default_bucket() const {
    constexpr std::int64_t kDeepSpeedElements = 500'000'000;
    const std::string framework = choices_.framework.value_or("");
    const bool is_deepspeed = framework == "deepspeed" || framework == "megatron-deepspeed";
    if (!is_deepspeed || choices_.zero.value_or(0) == 0)
      return Layout{}.bucket;
    return ByteCount(kDeepSpeedElements * (choices_.precision == std::optional<Precision>(Precision::fp32) ? 4 : 2));
  }

  void derive_job() {
    Job& job = plan_.job;
    if (choices_.seq_len) {
      job.seq_len = *choices_.seq_len;
    } else if (plan_.model.max_positions > 0) {
      job.seq_len = std::min(plan_.model.max_positions, kDefaultMaxSeqLen);
      assume("sequence length " + number(job.seq_len) +
             (job.seq_len == plan_.model.max_positions
                  ? ": the model's longest"
                  : ": a usual training length; the model takes up to " + number(plan_.model.max_positions)));
    } else {
      error(PlanSection::job, "seq_len", "is needed: the model does not state its longest sequence",
            "for example --seq-len 2048", "job.seq-len");
      job.seq_len = 2048;
    }
    const Accelerator& device = plan_.cluster.groups.front().accelerator;
    if (choices_.precision) {
      job.precision = *choices_.precision;
    } else {
      job.precision = default_precision(plan_.cluster);
      assume("precision " + std::string(to_word(job.precision)) + ": the default on " +
             (device.name.empty() ? device.id : device.name));
    }
    job.optimizer = choices_.optimizer.value_or(OptimizerKind::adam);
    if (!choices_.optimizer)
      assume("optimizer: Adam");
    job.attention = choices_.attention.value_or(AttentionKernel::flash);
    if (!choices_.attention)
      assume("attention: fused kernel, scores are not stored");
    if (choices_.framework)
      job.framework = *choices_.framework;
    else
      assume("software: " + job.framework + (choices_.year.value_or(0) == 0 ? ", newest release known" : ""));
    job.year = static_cast<int>(choices_.year.value_or(0));
    job.steps = choices_.steps;
    const bool has_experts = std::any_of(plan_.model.layers.begin(), plan_.model.layers.end(),
                                         [](const LayerRun& run) { return run.layer.moe.has_value(); });
    job.expert_imbalance = choices_.expert_imbalance.value_or(1.0);
    job.expert_capacity = choices_.expert_capacity;
    job.dropout = choices_.dropout;
    job.loss = choices_.loss;
    job.loss_chunks = static_cast<int>(choices_.loss_chunks.value_or(1));
    job.adapter_rank = static_cast<int>(choices_.adapter_rank.value_or(0));
    job.sequence_fill = choices_.sequence_fill.value_or(1.0);
    job.loss_share = choices_.loss_share.value_or(default_loss_share(plan_.model));
    if (!choices_.loss_share && job.loss_share < 1.0)
      assume("masked language model: 15 % of the tokens reach head and loss, as in the original BERT");
    if (has_experts && !choices_.expert_imbalance)
      assume("experts: the router balances them, each gets the same number of tokens (expert imbalance 1)");
    if (has_experts && plan_.layout.ep > 1)
      assume(preferred_dispatch(plan_.layout.ep, plan_.cluster.groups.front().devices_per_node) ==
                     ExpertDispatch::all_to_all
                 ? "experts: tokens travel by NCCL's all-to-all, which is the faster way inside a node"
                 : "experts: tokens travel by NCCL's all-to-all; libraries that write to peers (DeepEP) are advised "
                   "above 8 "
                   "ranks over nodes and are not modelled");
    if (has_experts && !choices_.expert_capacity)
      assume("experts: no token is dropped");
  }

  /// False when dp or the batch rests on a stand-in.
  bool derive_batch() {
    Layout& layout = plan_.layout;
    Job& job = plan_.job;
    const std::int64_t dp = layout.dp;
    const auto global = choices_.global_batch;
    const auto micro = choices_.micro_batch;
    const auto count = choices_.micro_batches;
    if (!dp_is_known_) {
      layout.micro_batch = micro.value_or(1);
      job.global_batch = global.value_or(1);
      return false;
    }
    if (global && count && micro) {
      layout.micro_batch = *micro;
      job.global_batch = *global;
      return batch_identity(*global, *micro, *count);
    }
    if (global && count) {
      job.global_batch = *global;
      if (*global % (dp * *count) != 0) {
        error(PlanSection::job, "global_batch",
              number(*global) + " is not dp " + number(dp) + " x " + number(*count) +
                  " micro-batches x a whole micro-batch",
              "nearest: " + number(std::max<std::int64_t>(*global / (dp * *count), 1) * dp * *count),
              "job.global-batch");
        return false;
      }
      layout.micro_batch = *global / (dp * *count);
      assume("micro-batch " + number(layout.micro_batch) + ": the global batch over dp and micro-batches");
      return true;
    }
    layout.micro_batch = micro.value_or(1);
    if (!micro)
      assume("micro-batch 1");
    if (global) {
      job.global_batch = *global;
      return true;
    }
    std::int64_t passes = count.value_or(layout.pp == 1 ? 1 : kDefaultMicroBatchesPerStage * layout.pp);
    job.global_batch = layout.micro_batch * dp * passes;
    assume("global batch " + number(job.global_batch) + " = micro-batch " + number(layout.micro_batch) + " x dp " +
           number(dp) + " x " + number(passes) + (passes == 1 ? " micro-batch" : " micro-batches") +
           ": it changes with dp; fix it to compare layouts of one training");
    return true;
  }

  /// More tokens a step than the training bears: other degrees than dp have to take the ranks.
  void check_batch_limit(bool batch_is_known) {
    if (!choices_.max_batch_tokens || !batch_is_known)
      return;
    const std::int64_t most = *choices_.max_batch_tokens / plan_.job.seq_len;
    if (plan_.job.global_batch <= most)
      return;
    error(PlanSection::job, "max_batch_tokens",
          "a step takes " + number(plan_.job.global_batch) + " sequences of " + number(plan_.job.seq_len) +
              " tokens; allowed: at most " + number(most) + " sequences",
          "a smaller micro-batch, or tensor, pipeline and context parallelism in place of data parallelism",
          "job.batch-limit");
  }

  bool batch_identity(std::int64_t global, std::int64_t micro, std::int64_t count) {
    const Layout& layout = plan_.layout;
    const std::int64_t seen = micro * layout.dp * count;
    if (seen == global)
      return true;
    std::string hint;
    if (global % (micro * count) == 0) {
      const std::int64_t dp = global / (micro * count);
      hint = "dp " + number(dp) + " would satisfy it: " + number(dp * layout.tp * layout.pp * layout.cp) +
             " ranks (world " + number(dp * layout.tp * layout.pp * layout.cp) +
             "); was the job launched with one process a node?";
    } else if (global % (micro * layout.dp) == 0) {
      hint = number(global / (micro * layout.dp)) + " micro-batches would satisfy it";
    }
    error(PlanSection::job, "global_batch",
          number(global) + " is not micro-batch " + number(micro) + " x dp " + number(layout.dp) + " x " +
              number(count) + " micro-batches = " + number(seen),
          hint, "job.global-batch");
    return false;
  }

  void say_counted() {
    const Layout& layout = plan_.layout;
    if (plan_.model.has_head && plan_.model.vocab > 0) {
      const std::int64_t padded = padded_vocab(plan_.model.vocab, layout.tp);
      if (padded != plan_.model.vocab)
        assume("vocabulary " + number(plan_.model.vocab) + " counted as " + number(padded) +
               ": padded to a multiple of 128 x tp, as Megatron does");
    }
    for (const NodeGroup& group : plan_.cluster.groups)
      if (group.network && group.network->measured_rate)
        assume("network: " + format(*group.network->measured_rate) + " per adapter as measured, not the " +
               format(group.network->rate) + " of the data sheet");
    for (const LayerRun& run : plan_.model.layers) {
      const std::int64_t kv = run.layer.attention.kv_heads;
      if (!run.layer.attention.latent && layout.tp > kv && layout.tp % kv == 0) {
        assume("each of the " + number(kv) + " key/value heads is held by " + number(layout.tp / kv) +
               " tensor-parallel ranks");
        break;
      }
    }
  }

  /// A product that does not match has its way out only now, when every rule can be asked.
  Diagnostics with_way_out(const Diagnostics& found) const {
    Diagnostics result;
    for (Diagnostic problem : found.list()) {
      if (problem.rule == "layout.world-size" && ranks_) {
        const std::optional<Layout> layout = nearest_layout({plan_.model, plan_.cluster, plan_.job, plan_.layout},
                                                            *ranks_, choices_.global_batch.has_value());
        if (layout)
          problem.hint = "for example " + layout_difference(plan_.layout, *layout, source_) + " uses all " +
                         number(*ranks_) + " ranks";
      }
      result.add(std::move(problem));
    }
    return result;
  }

  Plan plan_;
  const PlanChoices& choices_;
  const std::string& source_;
  Diagnostics& problems_;
  Diagnostics* found_ = nullptr;
  bool dp_is_known_ = true;
  std::optional<std::int64_t> ranks_;
};

}  // namespace

std::optional<Plan> resolve_plan(const Model& model, const Cluster& cluster, const CostConstants& constants,
                                 const PlanChoices& choices, const std::string& source, Diagnostics& problems) {
  return Resolver(model, cluster, constants, choices, source, problems).run();
}

}  // namespace trainwright::model
