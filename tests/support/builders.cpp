// SPDX-License-Identifier: Apache-2.0
#include "tests/support/builders.hpp"

namespace trainwright::test {

using namespace model;

Model small_gpt(int layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocab) {
  Model m;
  m.id = "small-gpt";
  m.name = "Small GPT";
  m.architecture = "GPT2LMHeadModel";
  m.hidden = hidden;
  m.vocab = vocab;
  m.max_positions = 256;
  m.position = PositionKind::learned;
  m.tied_embeddings = true;
  LayerShape layer;
  layer.attention = AttentionShape{heads, heads, hidden / heads, true, true, true, false, 0, {}};
  layer.mlp = MlpShape{4 * hidden, false, true};
  m.layers = {{layer, layers}};
  return m;
}

Model small_llama(int layers, std::int64_t hidden, std::int64_t heads) {
  Model m = small_gpt(layers, hidden, heads);
  m.id = "small-llama";
  m.name = "Small Llama";
  m.architecture = "LlamaForCausalLM";
  m.position = PositionKind::rotary;
  m.tied_embeddings = false;
  m.norm = NormKind::rms_norm;
  LayerShape& layer = m.layers.front().layer;
  layer.attention.kv_heads = heads / 2;
  layer.attention.qkv_bias = layer.attention.output_bias = false;
  layer.mlp = MlpShape{3 * hidden, true, false};
  layer.norm = NormKind::rms_norm;
  return m;
}

Model small_moe(int layers, std::int64_t hidden, std::int64_t heads, std::int64_t experts) {
  Model m = small_llama(layers, hidden, heads);
  m.id = "small-moe";
  m.name = "Small mixture";
  m.architecture = "MixtralForCausalLM";
  LayerShape& layer = m.layers.front().layer;
  layer.mlp.reset();
  layer.moe = MoeShape{.experts = experts, .experts_per_token = 2, .expert_ffn = hidden, .shared_ffn = hidden};
  return m;
}

Cluster switched_cluster(int nodes, int devices_per_node) {
  Accelerator device;
  device.id = "test-device";
  device.name = "Test device";
  device.family = "test";
  device.memory = ByteCount(80'000'000'000);
  device.memory_bandwidth = BytesPerSecond(2e12);
  device.dense_peak[static_cast<std::size_t>(Precision::fp32)] = FlopsPerSecond(100e12);
  device.dense_peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond(300e12);
  device.multiprocessors = 100;
  NodeGroup group;
  group.accelerator = device;
  group.nodes = nodes;
  group.devices_per_node = devices_per_node;
  group.cores_per_node = 64;
  group.host_memory = ByteCount(1'000'000'000'000);
  group.link = NodeLink{LinkKind::nvlink_switch, BytesPerSecond(300e9)};
  group.network = NodeNetwork{LinkKind::infiniband, devices_per_node, BytesPerSecond(25e9), Seconds(2e-6)};
  Cluster cluster;
  cluster.id = "test-cluster";
  cluster.name = "Test cluster";
  cluster.groups = {group};
  cluster.fabric.kind = FabricKind::full_bisection;
  return cluster;
}

Cluster shared_core_node(int cores) {
  Cluster cluster = switched_cluster(1, cores);
  NodeGroup& group = cluster.groups.front();
  group.accelerator.kind = AcceleratorKind::cpu;
  group.accelerator.dense_peak[static_cast<std::size_t>(Precision::fp32)] = FlopsPerSecond(50e9);
  group.accelerator.dense_peak[static_cast<std::size_t>(Precision::bf16)].reset();
  group.accelerator.memory_bandwidth = BytesPerSecond(10e9);
  group.accelerator.multiprocessors = 1;
  group.cores_per_node = cores;
  group.devices_share_cores = true;
  group.host_memory = ByteCount(16'000'000'000);
  group.link = NodeLink{LinkKind::shared_memory, BytesPerSecond(2e9)};
  group.network.reset();
  cluster.fabric.kind = FabricKind::none;
  return cluster;
}

CostConstants plain_constants() {
  CostConstants c;
  c.host = HostConstants{0, 0, 1, 1, 0, 0, 0, 0};
  for (GemmConstants& gemm : c.gemm)
    gemm = GemmConstants{0.5, 0.8, 0, 0, 0, 0, 0};
  c.attention.fixed_s = 0;
  c.memory_bound.kernel_s = 0;
  c.optimizer.kernel_s = 0;
  return c;
}

Plan small_plan(const Layout& layout, std::int64_t micro_batches) {
  Plan plan;
  plan.model = small_gpt();
  plan.cluster = switched_cluster((world_size(layout) + 7) / 8);
  plan.job.seq_len = 128;
  plan.job.global_batch = layout.micro_batch * layout.dp * micro_batches;
  plan.job.precision = Precision::bf16;
  plan.layout = layout;
  plan.constants = plain_constants();
  return plan;
}

}  // namespace trainwright::test
