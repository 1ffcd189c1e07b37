// SPDX-License-Identifier: Apache-2.0
#include "model/plan/library_memory.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace trainwright::model {
namespace {

constexpr std::int64_t kMiB = 1024L * 1024L;
// PyTorch keeps a cuBLAS workspace per handle and stream; the forward thread and the autograd thread have one each.
constexpr int kHandles = 2;
constexpr std::int64_t kHandleWorkspace = 8519680;     // ":4096:2:16:8", what PyTorch asks for before Hopper
constexpr std::int64_t kLargeWorkspace = 32 * kMiB;    // Hopper and later, PyTorch and Transformer Engine alike
constexpr std::int64_t kTransformerEngine = 4 * kMiB;  // Transformer Engine before Hopper
constexpr int kGroupedProducts = 4;                    // further workspaces, one a stream of the grouped products
constexpr int kFirstTransformerEngineYear = 2023;

// On four A100: 544 MB for a group of two, 688 MB for more (issue 964 of NCCL's repository). That is with a ring and up
// to three tree connections of every channel; since version 2.22 a connection is made when a collective first uses it,
// so a communicator of one algorithm takes a quarter.
constexpr std::int64_t kPairCommunicator = 544'000'000;
constexpr std::int64_t kRingCommunicator = 688'000'000;
constexpr int kConnections = 4;
constexpr int kFirstLazyYear = 2024;

// Context, modules and kernels of driver, PyTorch and libraries.
constexpr std::int64_t kContext = 450 * kMiB;
constexpr std::int64_t kLargeContext = 620 * kMiB;  // Hopper and later

bool is_large(const Accelerator& device) {
  constexpr std::array<std::string_view, 2> kFamilies{"hopper", "blackwell"};
  return std::find(kFamilies.begin(), kFamilies.end(), device.family) != kFamilies.end();
}

bool uses_transformer_engine(const Job& job) {
  const bool is_core = job.framework == "megatron-core" || job.framework == "megatron-te";
  return is_core && (job.year == 0 || job.year >= kFirstTransformerEngineYear);
}

bool is_gpu(const Plan& plan) {
  return plan.cluster.groups.front().accelerator.kind != AcceleratorKind::cpu;
}

bool has_local_experts(const Plan& plan) {
  return std::any_of(plan.model.layers.begin(), plan.model.layers.end(), [&](const LayerRun& run) {
    return run.layer.moe && run.layer.moe->experts / std::max(plan.layout.ep, 1) > 1;
  });
}

}  // namespace

std::vector<CommunicatorMemory> communicator_memory(const Plan& plan) {
  std::vector<CommunicatorMemory> list;
  if (!is_gpu(plan))
    return list;
  const Layout& l = plan.layout;
  const int stage = l.dp * l.cp * l.tp;
  const int shard = l.zero_group > 0 ? l.zero_group : l.dp * l.cp;
  const bool is_hybrid = l.zero > 0 && l.zero_group > 0;
  const bool is_lazy = plan.job.year == 0 || plan.job.year >= kFirstLazyYear;
  const auto add = [&](GroupAxis axis, int ranks, bool exists = true) {
    if (ranks < 2 || !exists)
      return;
    const std::int64_t bytes = ranks == 2 ? kPairCommunicator : kRingCommunicator;
    list.push_back({axis, ranks, ByteCount(is_lazy ? bytes / kConnections : bytes)});
  };
  const bool has_experts = std::any_of(plan.model.layers.begin(), plan.model.layers.end(),
                                       [](const LayerRun& run) { return run.layer.moe.has_value(); });
  add(GroupAxis::tensor, l.tp);
  add(GroupAxis::context, l.cp);
  add(GroupAxis::data_context, l.dp * l.cp, !is_hybrid);
  add(GroupAxis::data_shard, shard, is_hybrid);
  add(GroupAxis::data_replica, l.dp * l.cp / std::max(shard, 1), is_hybrid);
  add(GroupAxis::pipeline, l.pp);
  add(GroupAxis::embedding, 2, plan.model.tied_embeddings && l.pp > 1);
  add(GroupAxis::expert, l.ep, has_experts);
  add(GroupAxis::expert_tensor, l.etp, has_experts && l.etp != l.tp);
  add(GroupAxis::expert_data, stage / std::max(l.ep * l.etp, 1), has_experts && l.ep > 1);
  return list;
}

std::vector<ResidentMemory> library_memory(const Plan& plan) {
  if (!is_gpu(plan))
    return {};
  const bool large = is_large(plan.cluster.groups.front().accelerator);
  std::int64_t workspaces = kHandles * (large ? kLargeWorkspace : kHandleWorkspace);
  if (uses_transformer_engine(plan.job))
    workspaces +=
        (1 + (has_local_experts(plan) ? kGroupedProducts : 0)) * (large ? kLargeWorkspace : kTransformerEngine);
  ByteCount communication;
  for (const CommunicatorMemory& communicator : communicator_memory(plan))
    communication += communicator.bytes;
  return {{MemoryTerm::communication, communication},
          {MemoryTerm::workspaces, ByteCount(workspaces)},
          {MemoryTerm::context, ByteCount(large ? kLargeContext : kContext)}};
}

}  // namespace trainwright::model
