// SPDX-License-Identifier: Apache-2.0
#include "any_value.hpp"

namespace trainwright::model::any {
namespace {

std::vector<SourceNote> sources() {
  return list(2, [] { return SourceNote{list(2, text), text()}; });
}

AttentionShape attention() {
  AttentionShape shape;
  shape.kv_heads = integer(1, 16);
  shape.heads = shape.kv_heads * integer(1, 8);
  shape.head_dim = integer(1, 256);
  shape.causal = flag();
  shape.qkv_bias = flag();
  shape.output_bias = flag();
  shape.query_key_norm = flag();
  shape.window = integer(0, 5000);
  shape.sinks = flag();
  if (flag())
    shape.latent = LatentAttention{integer(0, 2000), integer(1, 600), integer(0, 64), integer(1, 128), integer(1, 128)};
  return shape;
}

LayerRun layer_run() {
  LayerRun run;
  run.count = small(1, 100);
  run.layer.attention = attention();
  if (flag())
    run.layer.mlp = MlpShape{integer(1, 50000), flag(), flag()};
  else
    run.layer.moe =
        MoeShape{integer(8, 256), integer(1, 8), integer(1, 9000), integer(0, 9000), flag(), flag(), flag(), flag()};
  run.layer.norm = word(kNormKindWords);
  run.layer.norms = small(0, 4);
  run.layer.order = word(kBlockOrderWords);
  run.layer.norm_bias = flag();
  if (flag()) {
    run.layer.cross_attention = attention();
    run.layer.cross_attention->causal = false;
  }
  return run;
}

NodeGroup group(bool with_network) {
  NodeGroup result;
  result.accelerator = accelerator();
  result.nodes = small(1, 50);
  result.devices_per_node = small(1, 16);
  result.devices_share_cores = result.accelerator.kind == AcceleratorKind::cpu && flag();
  result.cores_per_node = small(1, 256);
  result.host_memory = ByteCount(integer(1, 1L << 52));
  if (result.devices_per_node > 1 || flag())
    result.link = NodeLink{kLinkKindWords[static_cast<std::size_t>(integer(0, 3))].second, BytesPerSecond(number())};
  if (result.link && result.link->kind == LinkKind::nvlink_switch && flag())
    result.link->domain_devices = result.devices_per_node * small(1, 18);
  if (with_network)
    result.network = NodeNetwork{kLinkKindWords[static_cast<std::size_t>(integer(4, 6))].second, small(1, 8),
                                 BytesPerSecond(number()), Seconds(number())};
  if (result.network && flag())
    result.network->measured_rate = result.network->rate * 0.5;
  return result;
}

Job job() {
  Job result;
  result.global_batch = integer(1, 1L << 30);
  result.seq_len = integer(1, 1L << 20);
  result.precision = word(kPrecisionWords);
  result.optimizer = word(kOptimizerKindWords);
  result.attention = word(kAttentionKernelWords);
  result.framework = text();
  result.year = flag() ? 0 : small(2015, 2030);
  if (flag())
    result.expert_imbalance = 1.0 + below(100.0);
  if (flag())
    result.expert_capacity = 1.0 + below(100.0);
  if (flag())
    result.sequence_fill = 0.5;
  if (flag())
    result.loss_share = 0.15;
  if (flag())
    result.steps = integer(1, 1L << 40);
  return result;
}

Layout layout() {
  Layout result;
  result.dp = small(1, 50);
  result.tp = small(1, 16);
  result.pp = small(1, 32);
  result.vpp = small(1, 8);
  result.cp = small(1, 8);
  result.ep = small(1, 64);
  result.etp = small(1, 8);
  result.sequence_parallel = flag();
  result.zero = small(0, 3);
  result.zero_group = small(0, 64);
  result.micro_batch = integer(1, 1000);
  result.schedule = word(kPipelineScheduleWords);
  result.recompute = word(kRecomputeWords);
  result.recompute_layers = small(0, 4);
  result.tensor_chunks = small(1, 8);
  result.overlap_gradients = flag();
  result.bucket = ByteCount(integer(1, 1L << 40));
  result.overlap_parameters = flag();
  result.reshard_after_forward = flag();
  result.gathers_in_flight = static_cast<int>(integer(1, 4096));
  for (std::int64_t stage = integer(0, 3); stage > 0; --stage)
    result.stage_layers.push_back(static_cast<int>(integer(0, 100)));
  result.cp_kind = word(kContextKindWords);
  return result;
}

SampleSummary summary() {
  SampleSummary time;
  time.count = integer(1, 1L << 40);
  time.invalid = integer(0, 1L << 40);
  time.min_s = below(1.0);
  time.median_s = time.min_s + below(1.0);
  time.max_s = time.median_s + below(1.0);
  time.noise = below(1.0);
  time.converged = flag();
  return time;
}

Environment environment() {
  return {text(),
          text(),
          text(),
          small(0, 512),
          integer(0, 1L << 50),
          text(),
          list(2, [] { return std::pair(text(), text()); }),
          text()};
}

ExecutedRun run() {
  ExecutedRun result;
  result.plan = plan();
  result.name = text();
  result.modes = list(2, text);
  result.step_s = list(3, [] { return below(10.0); });
  result.tasks = list(2, [] {
    return list(2, [] {
      TaskRecord record;
      record.task = TaskId(small(0, 1000));
      record.start_s = list(3, [] { return below(10.0); });
      for (std::size_t i = 0; i < record.start_s.size(); ++i)
        record.duration_s.push_back(below(1.0));
      return record;
    });
  });
  result.peak_memory_bytes = list(2, [] { return integer(0, 1L << 50); });
  return result;
}

StageMemory stage_memory() {
  StageMemory stage;
  stage.stage = StageId(small(0, 63));
  stage.ranks = small(1, 512);
  for (ByteCount& term : stage.terms)
    term = ByteCount(integer(0, 1L << 50));
  stage.peak = ByteCount(integer(0, 1L << 50));
  stage.peak_phase = text();
  return stage;
}

Timeline timeline() {
  return {list(2, [] {
    return RankTimeline{RankId(small(0, 1000)), small(1, 100), list(3, [] {
                          return Interval{TaskId(small(0, 100000)), Seconds(number()), Seconds(number())};
                        })};
  })};
}

}  // namespace

Accelerator accelerator() {
  Accelerator result;
  result.id = text();
  result.name = text();
  result.kind = word(kAcceleratorKindWords);
  result.family = text();
  result.memory = ByteCount(integer(1, 1L << 52));
  result.memory_bandwidth = BytesPerSecond(number());
  result.dense_peak[static_cast<std::size_t>(integer(0, 7))] = FlopsPerSecond(number());
  for (auto& peak : result.dense_peak)
    if (flag())
      peak = FlopsPerSecond(number());
  result.multiprocessors = small(1, 1000);
  if (flag())
    result.power_watts = below(1000.0);
  result.sources = sources();
  return result;
}

Cluster cluster() {
  Cluster result;
  result.id = text();
  result.name = text();
  result.groups.push_back(group(true));
  if (flag())
    result.groups.push_back(group(true));
  result.fabric.kind = kFabricKindWords[static_cast<std::size_t>(integer(1, 5))].second;
  if (result.fabric.kind == FabricKind::leaf_spine || result.fabric.kind == FabricKind::rail_optimized)
    result.fabric.nodes_per_leaf = small(0, 64);
  result.fabric.oversubscription = 1.0 + below(10.0);
  if (flag())
    result.storage = Storage{BytesPerSecond(number()), BytesPerSecond(number()), Seconds(number())};
  if (flag()) {
    result.price_per_device_hour = below(100.0);
    result.currency = text();
  }
  result.sources = sources();
  return result;
}

Model model() {
  Model result;
  result.id = text();
  result.name = text();
  result.architecture = text();
  result.hidden = integer(1, 1L << 20);
  result.vocab = integer(0, 1L << 20);
  result.max_positions = integer(1, 1L << 20);
  result.position = word(kPositionKindWords);
  result.tied_embeddings = flag();
  result.has_head = flag();
  result.final_norm = flag();
  result.embedding_norm = flag();
  result.extra_parameters = integer(0, 1L << 40);
  result.norm = word(kNormKindWords);
  result.norm_bias = flag();
  result.head_bias = flag();
  result.position_rows = integer(0, 1L << 20);
  result.relative_buckets = integer(0, 64);
  result.embedding_width = integer(0, 4096);
  result.layers.push_back(layer_run());
  if (flag())
    result.layers.push_back(layer_run());
  result.encoder_layers = small(0, layer_count(result));
  result.notes = list(2, text);
  result.sources = sources();
  return result;
}

OperatorNetwork network() {
  OperatorNetwork result;
  result.id = text();
  result.name = text();
  result.architecture = text();
  result.sample = text();
  for (int i = small(1, 3); i > 0; --i) {
    NetworkOperator op;
    op.name = text();
    op.count = integer(1, 100);
    if (flag())
      op.product = OperatorProduct{integer(1, 4096), integer(1, 512), integer(1, 512), integer(1, 64), integer(1, 64)};
    op.moved_elements = integer(0, 1L << 40);
    op.kept_elements = integer(0, 1L << 40);
    op.parameters = integer(0, 1L << 40);
    result.operators.push_back(op);
  }
  result.notes = list(2, text);
  result.sources = sources();
  return result;
}

Plan plan() {
  Plan result;
  result.model = model();
  result.cluster = cluster();
  result.job = job();
  result.layout = layout();
  for (const ConstantRef& ref : constant_refs(result.constants))
    *ref.value = below(0.9) + 1e-9;
  result.constants.origin = text();
  result.assumptions = list(3, text);
  return result;
}

Measurement measurement() {
  Measurement result;
  result.environment = environment();
  result.partial = flag();
  result.notes = list(2, text);
  result.gemm = list(2, [] {
    return GemmPoint{{integer(1, 99999), integer(1, 99999), integer(1, 99999), integer(1, 99), word(kPrecisionWords)},
                     small(1, 99),
                     summary()};
  });
  result.memory = list(2, [] { return MemoryPoint{integer(1, 1L << 50), small(1, 99), summary()}; });
  result.collectives = list(2, [] {
    const int nodes = small(1, 9);
    return CollectivePoint{static_cast<CollectiveKind>(integer(0, 5)), nodes * small(1, 9), nodes, integer(1, 1L << 50),
                           summary()};
  });
  result.transfers = list(2, [] { return TransferPoint{integer(1, 1L << 50), small(1, 2), summary()}; });
  result.storage = list(2, [] { return StoragePoint{flag(), integer(1, 1L << 50), summary()}; });
  result.interference = list(2, [] { return InterferencePoint{summary(), summary()}; });
  result.runs = list(1, run);
  return result;
}

Calibration calibration() {
  Calibration result;
  result.environment = environment();
  CostConstants constants;
  for (const ConstantRef& ref : constant_refs(constants))
    if (small(0, 9) == 0)
      result.constants.push_back({ref.name, below(0.9) + 1e-9, below(0.9) + 1e-9, text()});
  result.residuals = list(2, [] { return Residual{text(), below(10.0), below(10.0)}; });
  result.step_log_error = below(1.0);
  return result;
}

Estimate estimate() {
  Estimate result;
  result.estimator = word(kEstimatorWords);
  result.step = Seconds(number());
  result.step_low = Seconds(below(1.0));
  result.step_high = Seconds(result.step_low.count() + number());
  for (double& part : result.breakdown)
    part = number();
  result.model_flops = Flops(number());
  result.hardware_flops = Flops(number());
  result.tokens_per_second = number();
  result.mfu = below(1.0);
  result.hfu = below(1.0);
  result.model_rate_per_device = FlopsPerSecond(number());
  result.memory.stages = list(2, stage_memory);
  result.memory.peak = ByteCount(integer(0, 1L << 50));
  result.memory.capacity = ByteCount(integer(0, 1L << 50));
  result.memory.verdict = word(kMemoryVerdictWords);
  result.bottleneck = text();
  result.what_ifs = list(2, [] { return WhatIf{text(), number(), Seconds(number())}; });
  result.advice = list(2, [] {
    Advice advice{text(), text(), {}, {}};
    if (flag())
      advice.step_after = Seconds(number());
    if (flag())
      advice.peak_memory_after = ByteCount(integer(0, 1L << 50));
    return advice;
  });
  result.assumptions = list(2, text);
  result.stage_busy = list(2, [] { return Seconds(number()); });
  if (flag())
    result.timeline = timeline();
  return result;
}

}  // namespace trainwright::model::any
