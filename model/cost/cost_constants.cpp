// SPDX-License-Identifier: Apache-2.0
#include "model/cost/cost_constants.hpp"

namespace trainwright::model {
namespace {

// Widths of the log-normal priors: docs/models/calibration.md.
void add_gemm(std::vector<ConstantRef>& refs, const std::string& prefix, GemmConstants& c) {
  refs.push_back({prefix + "peak_fraction", &c.peak_fraction, 0.2});
  refs.push_back({prefix + "bandwidth_fraction", &c.bandwidth_fraction, 0.2});
  refs.push_back({prefix + "fixed_s", &c.fixed_s, 0.7});
  refs.push_back({prefix + "sag", &c.sag, 1.0});
  refs.push_back({prefix + "wave_loss", &c.wave_loss, 1.0});
  refs.push_back({prefix + "underfill", &c.underfill, 1.0});
  refs.push_back({prefix + "prologue_k", &c.prologue_k, 1.0});
  refs.push_back({prefix + "quantise_bandwidth_fraction", &c.quantise_bandwidth_fraction, 0.5});
  refs.push_back({prefix + "quantise_s", &c.quantise_s, 0.7});
}

void add_collective(std::vector<ConstantRef>& refs, const std::string& prefix, CollectiveConstants& c) {
  refs.push_back({prefix + "base_s", &c.base_s, 0.6});
  refs.push_back({prefix + "step_s", &c.step_s, 0.5});
  refs.push_back({prefix + "efficiency", &c.efficiency, 0.25});
  refs.push_back({prefix + "knee_s", &c.knee_s, 0.6});
  refs.push_back({prefix + "copy_ratio", &c.copy_ratio, 0.5});
  refs.push_back({prefix + "all_to_all_copy_ratio", &c.all_to_all_copy_ratio, 0.9});
  refs.push_back({prefix + "all_to_all_s", &c.all_to_all_s, 0.5});
  refs.push_back({prefix + "all_to_all_plateau_s", &c.all_to_all_plateau_s, 0.7});
  refs.push_back({prefix + "all_to_all_plateau_bytes", &c.all_to_all_plateau_bytes, 1.0});
  refs.push_back({prefix + "bulk_bytes", &c.bulk_bytes, 0.7});
  refs.push_back({prefix + "bulk_rank_power", &c.bulk_rank_power, 0.5});
  refs.push_back({prefix + "small_bandwidth_ratio", &c.small_bandwidth_ratio, 0.5});
  refs.push_back({prefix + "bulk_s", &c.bulk_s, 0.7});
  refs.push_back({prefix + "bulk_step_s", &c.bulk_step_s, 0.7});
  refs.push_back({prefix + "crowding", &c.crowding, 0.7});
  refs.push_back({prefix + "in_switch_efficiency", &c.in_switch_efficiency, 0.2});
  refs.push_back({prefix + "in_switch_latency_s", &c.in_switch_latency_s, 0.3});
  refs.push_back({prefix + "in_switch_rank_s", &c.in_switch_rank_s, 0.3});
  refs.push_back({prefix + "host_copy_bytes_per_s", &c.host_copy_bytes_per_s, 0.5});
  for (std::size_t i = 0; i < c.kind_factor.size(); ++i)
    refs.push_back({prefix + "kind_factor." + std::string(kCollectiveWords[i]), &c.kind_factor[i], 0.5});
  refs.push_back({prefix + "transfer_latency_s", &c.transfer_latency_s, 0.6});
  refs.push_back({prefix + "transfer_efficiency", &c.transfer_efficiency, 0.4});
}

}  // namespace

std::array<GemmConstants, 8> pooled_gemm_constants() {
  std::array<GemmConstants, 8> pooled{};
  GemmConstants fp8;
  fp8.peak_fraction = 0.73;
  fp8.bandwidth_fraction = 0.87;
  fp8.sag = 0.03;
  fp8.wave_loss = 0.075;
  fp8.underfill = 0.01;
  fp8.prologue_k = 135.0;
  pooled[static_cast<std::size_t>(Precision::fp8)] = fp8;
  pooled[static_cast<std::size_t>(Precision::mxfp8)] = fp8;
  GemmConstants nvfp4;
  nvfp4.peak_fraction = 0.49;
  nvfp4.bandwidth_fraction = 1.0;
  nvfp4.sag = 0.005;
  nvfp4.wave_loss = 0.28;
  nvfp4.underfill = 0.44;
  nvfp4.prologue_k = 672.0;
  nvfp4.quantise_bandwidth_fraction = 0.50;
  nvfp4.quantise_s = 4.4e-6;
  pooled[static_cast<std::size_t>(Precision::nvfp4)] = nvfp4;
  return pooled;
}

CostConstants kernels_alone(const CostConstants& constants) {
  CostConstants alone = constants;
  alone.gemm_step_rate = 1.0;
  alone.attention.step_rate = 1.0;
  alone.node_link_step_rate = 1.0;
  alone.network_step_rate = 1.0;
  alone.network_step_latency = 1.0;
  return alone;
}

std::vector<ConstantRef> constant_refs(CostConstants& c) {
  std::vector<ConstantRef> refs;
  for (const auto& [word, precision] : kPrecisionWords)
    add_gemm(refs, "gemm." + std::string(word) + ".", c.gemm[static_cast<std::size_t>(precision)]);
  refs.push_back({"gemm_step_rate", &c.gemm_step_rate, 0.12});
  refs.push_back({"attention.peak_fraction", &c.attention.peak_fraction, 0.3});
  refs.push_back({"attention.bandwidth_fraction", &c.attention.bandwidth_fraction, 0.2});
  refs.push_back({"attention.fixed_s", &c.attention.fixed_s, 0.7});
  refs.push_back({"attention.start_tokens", &c.attention.start_tokens, 0.7});
  refs.push_back({"attention.tail", &c.attention.tail, 0.7});
  refs.push_back({"attention.backward_rate_ratio", &c.attention.backward_rate_ratio, 0.2});
  refs.push_back({"attention.unfused_factor", &c.attention.unfused_factor, 0.3});
  refs.push_back({"attention.unaligned_factor", &c.attention.unaligned_factor, 0.5});
  refs.push_back({"attention.score_dims", &c.attention.score_dims, 0.5});
  refs.push_back({"attention.step_rate", &c.attention.step_rate, 0.3});
  refs.push_back({"memory_bound.bandwidth_fraction", &c.memory_bound.bandwidth_fraction, 0.2});
  refs.push_back({"memory_bound.kernel_s", &c.memory_bound.kernel_s, 0.5});
  refs.push_back({"optimizer.bandwidth_fraction", &c.optimizer.bandwidth_fraction, 0.3});
  refs.push_back({"optimizer.kernel_s", &c.optimizer.kernel_s, 0.5});
  refs.push_back({"host.task_s", &c.host.task_s, 0.7});
  refs.push_back({"host.layer_forward_s", &c.host.layer_forward_s, 0.3});
  refs.push_back({"host.backward_ratio", &c.host.backward_ratio, 0.2});
  refs.push_back({"host.recompute_ratio", &c.host.recompute_ratio, 0.2});
  refs.push_back({"host.micro_batch_s", &c.host.micro_batch_s, 0.3});
  refs.push_back({"host.step_s", &c.host.step_s, 0.5});
  refs.push_back({"host.tensor_log2_growth", &c.host.tensor_log2_growth, 0.5});
  refs.push_back({"host.expert_product_s", &c.host.expert_product_s, 1.0});
  refs.push_back({"host.expert_layer_s", &c.host.expert_layer_s, 0.7});
  add_collective(refs, "node_link.", c.node_link);
  add_collective(refs, "network.", c.network);
  refs.push_back({"node_link_step_rate", &c.node_link_step_rate, 0.25});
  refs.push_back({"network_step_rate", &c.network_step_rate, 0.4});
  refs.push_back({"network_step_latency", &c.network_step_latency, 0.5});
  refs.push_back({"communication_compute_share", &c.communication_compute_share, 0.5});
  refs.push_back({"core_switch_penalty", &c.core_switch_penalty, 0.7});
  refs.push_back({"step_log_error", &c.step_log_error, 0.0});
  return refs;
}

}  // namespace trainwright::model
