// Small valid models, clusters and plans in one line each, for the tests of plan rules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "model/plan/plan.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/plan/resolve.hpp"

namespace trainwright::model::testing_support {

/// Equal layers with `heads` heads of 128, kv_heads = heads.
inline Model dense_model(std::int64_t heads, int layers, std::int64_t kv_heads = 0) {
  Model model;
  model.id = "test-model";
  model.hidden = heads * 128;
  model.vocab = 51200;
  model.max_positions = 8192;
  LayerRun run;
  run.count = layers;
  run.layer.attention.heads = heads;
  run.layer.attention.kv_heads = kv_heads == 0 ? heads : kv_heads;
  run.layer.attention.head_dim = 128;
  run.layer.mlp = MlpShape{.ffn = heads * 512, .gated = false, .bias = false};
  model.layers = {run};
  return model;
}

inline Model moe_model(std::int64_t experts, int layers = 4) {
  Model model = dense_model(16, layers);
  model.layers[0].layer.mlp.reset();
  model.layers[0].layer.moe = MoeShape{.experts = experts, .experts_per_token = 2, .expert_ffn = 2048};
  return model;
}

inline Cluster gpu_cluster(int nodes, int devices_per_node = 8, bool with_network = true) {
  Cluster cluster;
  cluster.id = "test-cluster";
  NodeGroup group;
  group.nodes = nodes;
  group.devices_per_node = devices_per_node;
  group.accelerator.id = "test-gpu";
  group.accelerator.name = "Test GPU";
  group.accelerator.memory = ByteCount(80'000'000'000);
  group.accelerator.memory_bandwidth = BytesPerSecond(2e12);
  for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::tf32, Precision::fp32})
    group.accelerator.dense_peak[static_cast<std::size_t>(precision)] = FlopsPerSecond(3e14);
  group.link = NodeLink{LinkKind::nvlink_switch, BytesPerSecond(3e11)};
  if (with_network)
    group.network = NodeNetwork{LinkKind::infiniband, 8, BytesPerSecond(25e9), Seconds(1e-6)};
  cluster.groups = {group};
  cluster.fabric.kind = FabricKind::full_bisection;
  return cluster;
}

inline Cluster cpu_cluster(int cores) {
  Cluster cluster = gpu_cluster(1, cores, false);
  NodeGroup& group = cluster.groups[0];
  group.accelerator.kind = AcceleratorKind::cpu;
  group.accelerator.name = "Test CPU";
  group.accelerator.dense_peak = {};
  group.accelerator.dense_peak[static_cast<std::size_t>(Precision::fp32)] = FlopsPerSecond(1e11);
  group.devices_share_cores = true;
  group.cores_per_node = cores;
  group.link = NodeLink{LinkKind::shared_memory, BytesPerSecond(1e10)};
  return cluster;
}

struct Resolved {
  std::optional<Plan> plan;
  Diagnostics problems;

  [[nodiscard]] bool has_rule(const std::string& rule) const {
    return std::any_of(problems.list().begin(), problems.list().end(),
                       [&](const Diagnostic& d) { return d.rule == rule; });
  }
  /// The only problem with this rule; an empty one when there is none or more than one.
  [[nodiscard]] Diagnostic of_rule(const std::string& rule) const {
    Diagnostic found;
    int count = 0;
    for (const Diagnostic& problem : problems.list())
      if (problem.rule == rule) {
        found = problem;
        ++count;
      }
    return count == 1 ? found : Diagnostic{};
  }
  [[nodiscard]] bool assumes(const std::string& part) const {
    return plan && std::any_of(plan->assumptions.begin(), plan->assumptions.end(),
                               [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }
};

inline Resolved resolved(const Model& model, const Cluster& cluster, const PlanChoices& choices) {
  Resolved result;
  result.plan =
      resolve_plan(model, cluster, CostConstants{}, choices, std::string(kCommandLineSource), result.problems);
  return result;
}

}  // namespace trainwright::model::testing_support
