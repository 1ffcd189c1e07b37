// SPDX-License-Identifier: Apache-2.0
#include "cli/options/plan_options.hpp"

#include "model/estimate/least_recompute.hpp"
#include "model/plan/plan_fields.hpp"

namespace trainwright::cli {

void PlanOptions::add_to(OptionSet& options) {
  options.group("What to predict");
  options.text("--model", "Profile id, profile file or Hugging Face config.json", model);
  options.text("--cluster", "Profile id or file", cluster);
  options.integer("--gpus", "Ranks; left out: the whole cluster, or the product of the degrees", choices.gpus);
  options.path("--plan", "A saved plan instead; options given beside it change it", plan);
  options.path("--calibration", "Constants fitted by `trainwright calibrate`", calibration);

  options.group("Layout (a degree left out is derived)");
  options.integer("--dp", "Data-parallel replicas", choices.dp);
  options.integer("--tp", "Tensor parallelism", choices.tp);
  options.integer("--pp", "Pipeline stages", choices.pp);
  options.integer("--vpp", "Chunks (virtual stages) a stage", choices.vpp);
  options.integer("--layers-per-chunk", "Says --vpp as layers of one chunk", choices.layers_per_chunk);
  options.integer("--cp", "Context parallelism", choices.cp);
  options.integer("--ep", "Expert parallelism", choices.ep);
  options.integer("--etp", "Tensor parallelism inside experts", choices.etp);
  options.word("--cp-kind", "Context parallelism by ring attention or by all-to-all of heads (ulysses)",
               model::kContextKindWords, choices.cp_kind);
  options.on_off("--sequence-parallel", "Split norms and dropout over the tensor-parallel group",
                 choices.sequence_parallel);
  options.integer("--zero", "Shard over data-parallel ranks: 0 nothing, 1 optimizer, 2 + gradients, 3 + parameters",
                  choices.zero);
  options.integer("--hsdp", "Ranks that share one shard set, replicated beyond", choices.zero_group);
  options.integer("--micro-batch", "Sequences a rank and micro-batch", choices.micro_batch);
  options.integer("--micro-batches", "Micro-batches a step (gradient accumulation)", choices.micro_batches);
  options.word("--schedule", "Order of the pipeline", model::kPipelineScheduleWords, choices.schedule);
  options.word("--recompute", "Activations to recompute in the backward pass; auto: the least that fits in memory",
               kRecomputeWishWords, recompute);
  options.integer("--recompute-layers",
                  "With --recompute full: only the first so many layers of each virtual stage; left out: all",
                  choices.recompute_layers);
  options.integer("--tensor-chunks",
                  "Pieces in which a gather or scatter of sequence parallelism runs beside its product; 1: it does not",
                  choices.tensor_chunks);
  options.on_off("--overlap-messages", "Stages compute on while their messages are under way",
                 choices.overlap_messages);
  options.on_off("--overlap", "Reduce gradients beside the backward pass", choices.overlap_gradients);
  options.on_off("--overlap-parameters", "Gather sharded parameters beside compute", choices.overlap_parameters);
  options.on_off("--reshard-after-forward", "ZeRO 3: give parameters back between forward and backward pass",
                 choices.reshard_after_forward);
  options.integer("--gathers-in-flight", "ZeRO 3: units gathered at a time, with the one in use (default 2)",
                  choices.gathers_in_flight);
  options.integers("--stage-layers", "Layers of each virtual stage: 7,8,8,...,7; left out: as even as possible",
                   choices.stage_layers);
  options.integer("--interleave-group", "Micro-batches a chunk takes in a row, interleaved; left out: --pp",
                  choices.interleave_group);
  options.word("--compression", "Of gradients before they are sent", model::kCompressionWords, choices.compression);
  options.integer("--sync-every", "Steps between two reductions (local SGD); left out: 1", choices.sync_every);
  options.integer("--parameter-servers", "Hosts that gradients go to and weights come from; left out: collectives",
                  choices.parameter_servers);
  options.on_off("--offload-optimizer", "Master weights and moments in host memory, updated there",
                 choices.offload_optimizer);
  options.on_off("--offload-parameters", "ZeRO 3: shards of the weights in host memory", choices.offload_parameters);
  options.on_off("--offload-activations", "Layer inputs in host memory between forward and backward pass",
                 choices.offload_activations);
  options.byte_count("--bucket", "Size of a gradient bucket, \"25 MiB\"", choices.bucket);

  options.group("Job");
  options.integer("--global-batch", "Sequences a step", choices.global_batch);
  options.integer("--max-batch-tokens", "Refuse plans that take more tokens a step", choices.max_batch_tokens);
  options.integer("--seq-len", "Tokens a sequence", choices.seq_len);
  options.word("--precision", "Of matrix products", model::kPrecisionWords, choices.precision);
  options.word("--optimizer", "Optimizer", model::kOptimizerKindWords, choices.optimizer);
  options.word("--attention", "Attention kernel", model::kAttentionKernelWords, choices.attention);
  options.text("--framework", "Software whose rules and kernels apply: megatron-core, deepspeed, torchtitan ...",
               choices.framework);
  options.integer("--year", "Of the software; left out: the newest", choices.year);
  options.number("--expert-imbalance", "Tokens of the fullest rank's experts / average; left out: 1",
                 choices.expert_imbalance);
  options.number("--expert-capacity", "Tokens an expert takes at most / average; left out: none is dropped",
                 choices.expert_capacity);
  options.on_off("--dropout", "Train with dropout; left out: as recipes of the model's kind do", choices.dropout);
  options.word("--loss", "Kernel of the cross-entropy; left out: the framework's default", model::kLossKernelWords,
               choices.loss);
  options.integer("--loss-chunks", "Parts of a micro-batch whose logits exist at a time; left out: 1",
                  choices.loss_chunks);
  options.integer("--adapter-rank", "Rank of low-rank adapters (LoRA) on frozen weights; left out: all weights train",
                  choices.adapter_rank);
  options.number("--sequence-fill",
                 "Tokens of a sequence / seq-len where padding is skipped or sequences are packed; left out: 1",
                 choices.sequence_fill);
  options.number("--loss-share", "Tokens that reach head and loss / all; left out: 1, masked language models 0.15",
                 choices.loss_share);
  options.integer("--steps", "Length of the training", choices.steps);
}

namespace {

// The choice of the layout; none where the least that fits is asked for.
std::optional<model::Recompute> recompute_of(RecomputeWish wish) {
  switch (wish) {
    case RecomputeWish::none:
      return model::Recompute::none;
    case RecomputeWish::selective:
      return model::Recompute::selective;
    case RecomputeWish::full:
      return model::Recompute::full;
    case RecomputeWish::least:
      break;
  }
  return std::nullopt;
}

std::optional<model::Plan> stated_plan(const PlanOptions& options, model::Diagnostics& problems) {
  const std::string source(model::kCommandLineSource);
  if (options.plan) {
    for (const auto& [name, value] : {std::pair{"--model", options.model}, std::pair{"--cluster", options.cluster}})
      if (value)
        problems.add_error(source, name, "is part of the plan already", "leave it out, or leave out --plan");
    return model::load_plan_with(*options.plan, options.calibration, options.choices, source, problems);
  }
  if (!options.model)
    problems.add_error(source, "--model", "is needed (or --plan)", "`trainwright profiles` lists the ids");
  if (!options.cluster)
    problems.add_error(source, "--cluster", "is needed (or --plan)", "`trainwright profiles` lists the ids");
  if (!options.model || !options.cluster)
    return std::nullopt;
  return model::resolve_request({*options.model, *options.cluster, options.calibration, options.choices}, source,
                                problems);
}

}  // namespace

std::optional<model::Plan> plan_from(const PlanOptions& options, model::Diagnostics& problems) {
  PlanOptions stated = options;
  const bool takes_least = options.recompute == RecomputeWish::least;
  if (options.recompute)
    stated.choices.recompute = takes_least ? model::Recompute::none : recompute_of(*options.recompute);
  if (takes_least && options.choices.recompute_layers)
    problems.add_error(std::string(model::kCommandLineSource), "--recompute-layers",
                       "contradicts --recompute auto, which chooses the layers", "leave one of the two out");
  if (takes_least)
    stated.choices.recompute_layers.reset();
  std::optional<model::Plan> plan = stated_plan(stated, problems);
  if (problems.has_errors())
    return std::nullopt;
  return plan && takes_least ? model::with_least_recompute(*std::move(plan)) : std::move(plan);
}

}  // namespace trainwright::cli
