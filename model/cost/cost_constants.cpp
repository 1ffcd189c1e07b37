// SPDX-License-Identifier: Apache-2.0
#include "model/cost/cost_constants.hpp"

namespace trainwright::model {
namespace {

class Refs {
 public:
  explicit Refs(std::vector<ConstantRef>& list) : list_(&list) {}
  void in(std::string group) { group_ = std::move(group); }
  void add(std::string_view name, double& value, double width) {
    list_->push_back({group_.empty() ? std::string(name) : group_ + "." + std::string(name), &value, width});
  }

 private:
  std::vector<ConstantRef>* list_;
  std::string group_;
};

}  // namespace

std::vector<ConstantRef> constant_refs(CostConstants& constants) {
  std::vector<ConstantRef> list;
  Refs refs(list);
  for (const auto& [word, precision] : kPrecisionWords) {
    GemmConstants& gemm = constants.gemm[static_cast<std::size_t>(precision)];
    refs.in("gemm." + std::string(word));
    refs.add("peak_fraction", gemm.peak_fraction, 0.2);
    refs.add("bandwidth_fraction", gemm.bandwidth_fraction, 0.2);
    refs.add("fixed_s", gemm.fixed_s, 0.7);
    refs.add("sag", gemm.sag, 1.0);
    refs.add("wave_loss", gemm.wave_loss, 1.0);
    refs.add("underfill", gemm.underfill, 1.0);
    refs.add("prologue_k", gemm.prologue_k, 1.0);
  }
  refs.in("attention");
  refs.add("peak_fraction", constants.attention.peak_fraction, 0.3);
  refs.add("bandwidth_fraction", constants.attention.bandwidth_fraction, 0.2);
  refs.add("fixed_s", constants.attention.fixed_s, 0.7);
  refs.add("start_tokens", constants.attention.start_tokens, 1.0);
  refs.add("tail", constants.attention.tail, 1.0);
  refs.add("backward_rate_ratio", constants.attention.backward_rate_ratio, 0.3);
  for (auto& [name, memory] : {std::pair<std::string, MemoryBoundConstants*>{"memory_bound", &constants.memory_bound},
                               {"optimizer", &constants.optimizer}}) {
    refs.in(name);
    refs.add("bandwidth_fraction", memory->bandwidth_fraction, 0.2);
    refs.add("kernel_s", memory->kernel_s, 0.5);
  }
  refs.in("host");
  refs.add("task_s", constants.host.task_s, 0.5);
  refs.add("layer_forward_s", constants.host.layer_forward_s, 0.3);
  refs.add("backward_ratio", constants.host.backward_ratio, 0.3);
  refs.add("recompute_ratio", constants.host.recompute_ratio, 0.3);
  refs.add("micro_batch_s", constants.host.micro_batch_s, 0.3);
  refs.add("step_s", constants.host.step_s, 0.5);
  refs.add("tensor_log2_growth", constants.host.tensor_log2_growth, 0.5);
  for (auto& [name, link] : {std::pair<std::string, CollectiveConstants*>{"node_link", &constants.node_link},
                             {"network", &constants.network}}) {
    refs.in(name);
    refs.add("base_s", link->base_s, 0.6);
    refs.add("step_s", link->step_s, 0.5);
    refs.add("efficiency", link->efficiency, 0.4);
    refs.add("knee_s", link->knee_s, 0.6);
    refs.add("copy_ratio", link->copy_ratio, 0.3);
    refs.add("all_to_all_copy_ratio", link->all_to_all_copy_ratio, 0.9);
    refs.add("in_switch_efficiency", link->in_switch_efficiency, 0.2);
    refs.add("in_switch_latency_s", link->in_switch_latency_s, 0.2);
    for (std::size_t kind = 0; kind < kCollectiveWords.size(); ++kind)
      refs.add("kind_factor." + std::string(kCollectiveWords[kind]), link->kind_factor[kind], 0.3);
    refs.add("transfer_latency_s", link->transfer_latency_s, 0.6);
    refs.add("transfer_efficiency", link->transfer_efficiency, 0.4);
  }
  refs.in("");
  refs.add("communication_compute_share", constants.communication_compute_share, 0.5);
  refs.add("core_switch_penalty", constants.core_switch_penalty, 0.5);
  return list;
}

}  // namespace trainwright::model
