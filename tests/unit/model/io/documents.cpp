// SPDX-License-Identifier: Apache-2.0
#include "documents.hpp"

#include <gtest/gtest.h>

#include "model/calibration/calibration.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model::documents {
namespace {

Accelerator small_accelerator() {
  Accelerator value;
  value.id = "x1";
  value.name = "X1";
  value.family = "hopper";
  value.memory = ByteCount(80'000'000'000);
  value.memory_bandwidth = BytesPerSecond(3.35e12);
  value.dense_peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond(989e12);
  value.multiprocessors = 132;
  value.power_watts = 700;
  value.sources = {{{"memory"}, "data sheet"}};
  return value;
}

Cluster small_cluster() {
  Cluster value;
  value.id = "c1";
  value.name = "C1";
  NodeGroup group;
  group.accelerator = small_accelerator();
  group.nodes = 2;
  group.devices_per_node = 8;
  group.cores_per_node = 112;
  group.host_memory = ByteCount(2'000'000'000'000);
  group.link = NodeLink{LinkKind::nvlink_switch, BytesPerSecond(450e9)};
  group.network = NodeNetwork{LinkKind::infiniband, 4, BytesPerSecond(50e9), Seconds(2e-6)};
  value.groups = {group};
  value.fabric = {FabricKind::rail_optimized, 32, 1.0};
  value.storage = Storage{BytesPerSecond(40e9), BytesPerSecond(20e9), Seconds(1e-3)};
  value.price_per_device_hour = 2.5;
  value.currency = "USD";
  return value;
}

Model small_model() {
  Model value;
  value.id = "m1";
  value.name = "M1";
  value.architecture = "GPT2LMHeadModel";
  value.hidden = 256;
  value.vocab = 2048;
  value.max_positions = 512;
  value.position = PositionKind::learned;
  LayerRun run;
  run.count = 4;
  run.layer.attention.heads = 8;
  run.layer.attention.kv_heads = 2;
  run.layer.attention.head_dim = 32;
  run.layer.mlp = MlpShape{1024, false, true};
  value.layers = {run};
  return value;
}

Plan small_plan() {
  Plan value;
  value.model = small_model();
  value.cluster = small_cluster();
  value.job.global_batch = 64;
  value.job.seq_len = 512;
  value.job.year = 2025;
  value.job.steps = 1000;
  value.layout.dp = 8;
  value.layout.tp = 2;
  value.assumptions = {"an assumption"};
  return value;
}

SampleSummary summary() {
  return {20, 1, 0.002, 0.001, 0.004, 0.03, true};
}

}  // namespace

std::string accelerator() {
  return to_accelerator_json(small_accelerator());
}
std::string cluster() {
  return to_cluster_json(small_cluster());
}
std::string model() {
  return to_model_json(small_model());
}
std::string plan() {
  return to_plan_json(small_plan());
}

std::string measurement() {
  Measurement value;
  value.environment = {"host", "2026-01-02T03:04:05Z",   "cpu",        2, 4'000'000'000,
                       "gloo", {{"openblas", "0.3.21"}}, "measure --x"};
  value.gemm = {{{512, 1024, 256, 1, Precision::fp32}, 1, summary()}};
  value.memory = {{1'000'000, 1, summary()}};
  value.collectives = {{CollectiveKind::all_reduce, 4, 2, 65536, summary()}};
  value.transfers = {{4096, 2, summary()}};
  value.storage = {{true, 1'000'000, summary()}};
  value.interference = {{summary(), summary()}};
  ExecutedRun run;
  run.plan = small_plan();
  run.name = "dp2";
  run.modes = {"rehearse"};
  run.step_s = {0.5, 0.6};
  run.tasks = {{{TaskId(0), {0.0, 0.1}, {0.2, 0.3}}}};
  run.peak_memory_bytes = {1'000'000};
  value.runs = {run};
  return to_measurement_json(value);
}

std::string calibration() {
  Calibration value;
  value.constants = {{"network.step_s", 1e-6, 2e-6, "12 points, residual 3 %"}};
  value.residuals = {{"run dp2", 0.5, 0.55}};
  value.step_log_error = 0.05;
  return to_calibration_json(value);
}

std::string estimate() {
  Estimate value;
  value.step = Seconds(2.0);
  value.step_low = Seconds(1.5);
  value.step_high = Seconds(2.5);
  value.breakdown[0] = 2.0;
  value.tokens_per_second = 16384.0;
  value.mfu = 0.4;
  value.hfu = 0.5;
  value.model_rate_per_device = FlopsPerSecond(400e12);
  StageMemory stage;
  stage.ranks = 16;
  stage.terms[0] = ByteCount(1'000'000);
  stage.peak = ByteCount(1'000'000);
  stage.peak_phase = "backward";
  value.memory = {{stage}, ByteCount(1'000'000), ByteCount(80'000'000'000), MemoryVerdict::borderline, {}};
  value.bottleneck = "network";
  value.what_ifs = {{"network", 2.0, Seconds(1.8)}};
  value.advice = {{"raise the micro-batch", "launches", Seconds(1.9), ByteCount(2'000'000)}};
  value.assumptions = {"newest software"};
  value.stage_busy = {Seconds(1.0)};
  value.timeline = Timeline{{{RankId(0), 16, {{TaskId(3), Seconds(0.0), Seconds(0.5)}}}}};
  return to_estimate_json(value, small_plan());
}

std::string with(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "\"" << from << "\" is not in\n" << text;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << "\"" << from << "\" occurs twice in\n" << text;
  std::string result = text;
  if (at != std::string::npos)
    result.replace(at, from.size(), to);
  return result;
}

}  // namespace trainwright::model::documents
