// SPDX-License-Identifier: Apache-2.0
#include "model/cost/task_duration.hpp"

#include <algorithm>
#include <cmath>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

constexpr double kTileM = 128.0;
constexpr double kTileN = 256.0;
constexpr double kSagKnee = 1e12;  // flops at which half of the sag has set in

// Backward of flash attention recomputes the scores: five products instead of two (arXiv 2205.14135, section 3.1).
constexpr double kBackwardProducts = 2.5;
// Passes over the score matrix of an unfused kernel, in element sizes: docs/models/attention.md.
constexpr double kUnfusedForwardPasses = 6.5 / 2.0;
constexpr double kUnfusedBackwardPasses = 9.5 / 2.0;
// Matrix units want operands whose rows are whole multiples of 16 bytes: 8 elements of 2 bytes.
constexpr std::int64_t kAlignedHeadDim = 8;
constexpr double kReferenceHeadDim = 128.0;  // that attention.peak_fraction was measured with
constexpr double kQueryTile = 128.0;         // rows of one block of a fused kernel
constexpr double kQuantisedBytes = 2.0;      // read of an activation element in bf16

double element_bytes(Precision precision) {
  return bits_per_element(precision) / 8.0;
}

double peak_or_nearest(const Accelerator& device, Precision precision) {
  // A card without tf32 units multiplies in fp32. Precisions a card cannot do are refused by check_plan.
  for (const Precision candidate : {precision, Precision::fp32, Precision::fp16, Precision::bf16})
    if (const auto peak = device.peak(candidate))
      return peak->count();
  TRAINWRIGHT_EXPECTS(false, "accelerator " + device.id + " has no peak for " + std::string(to_word(precision)));
}

// Rounded maximum of two times that mostly overlap.
double soft_max(double a, double b) {
  return std::cbrt(a * a * a + b * b * b);
}

double gemm_seconds(double m, double n, double k, double batch, Precision precision, const Accelerator& device,
                    const CostConstants& constants) {
  const GemmConstants& c = constants.gemm[static_cast<std::size_t>(precision)];
  const double flop = 2.0 * m * n * k * batch;
  const double in = element_bytes(precision);
  const double out = element_bytes(activation_precision(precision));
  const double bytes = batch * (in * (m * k + k * n) + out * m * n);
  const double units = device.multiprocessors;
  const double useful_waves = m * n * batch / (kTileM * kTileN * units);
  const double tiles =
      batch * std::min(std::ceil(m / kTileM) * std::ceil(n / kTileN), std::ceil(m / kTileN) * std::ceil(n / kTileM));
  const double waves = tiles / units;
  const double loss = waves > 1.0 ? 1.0 + c.wave_loss * (std::ceil(waves) / useful_waves - 1.0)
                                  : 1.0 + c.underfill * (1.0 / std::min(useful_waves, 1.0) - 1.0);
  const double rate = peak_or_nearest(device, precision) * c.peak_fraction * constants.gemm_step_rate;
  const double compute = flop / rate * (1.0 + c.prologue_k / k) * loss * (1.0 + c.sag * flop / (flop + kSagKnee));
  const double memory = bytes / (device.memory_bandwidth.count() * c.bandwidth_fraction);
  return c.fixed_s + soft_max(compute, memory);
}

}  // namespace

Flops flops(const GemmWork& w) {
  return Flops(2.0 * static_cast<double>(w.m) * static_cast<double>(w.n) * static_cast<double>(w.k) *
               static_cast<double>(w.batch));
}

Flops flops(const AttentionWork& w) {
  const double scores = static_cast<double>(w.batch) * static_cast<double>(w.heads) * static_cast<double>(w.seq_q) *
                        static_cast<double>(w.seq_kv);
  const double products = 2.0 * scores * static_cast<double>(w.head_dim + w.value_head_dim);
  const double causal = w.causal && w.fused ? 0.5 : 1.0;
  const double passes = !w.backward ? 1.0 : (w.fused ? kBackwardProducts : 2.0);
  return Flops(products * causal * passes);
}

Flops matrix_flops(const Task& task) {
  if (const auto* gemm = std::get_if<GemmWork>(&task.work))
    return flops(*gemm);
  if (const auto* attention = std::get_if<AttentionWork>(&task.work))
    return flops(*attention);
  return Flops(0.0);
}

Seconds duration(const GemmWork& w, const Accelerator& device, const CostConstants& constants) {
  return Seconds(gemm_seconds(static_cast<double>(w.m), static_cast<double>(w.n), static_cast<double>(w.k),
                              static_cast<double>(w.batch), w.precision, device, constants));
}

Seconds quantise_duration(std::int64_t elements, Precision precision, const Accelerator& device,
                          const CostConstants& constants) {
  if (bits_per_element(precision) >= bits_per_element(Precision::bf16))
    return Seconds(0.0);
  const GemmConstants& c = constants.gemm[static_cast<std::size_t>(precision)];
  return Seconds(c.quantise_s) + Bytes(kQuantisedBytes * static_cast<double>(elements)) /
                                     (device.memory_bandwidth * c.quantise_bandwidth_fraction);
}

Seconds duration(const AttentionWork& w, const Accelerator& device, const CostConstants& constants) {
  const double batch = static_cast<double>(w.batch);
  const double heads = static_cast<double>(w.heads);
  const double seq = static_cast<double>(w.seq_q);
  const double seq_kv = static_cast<double>(w.seq_kv);
  const Precision stored = activation_precision(w.precision);
  const double element = element_bytes(stored);
  const double bandwidth = device.memory_bandwidth.count();
  if (!w.fused) {
    // Two (backward: four) batched products and element-wise passes over the scores in memory.
    const double products = w.backward ? 4.0 : 2.0;
    const double head_dim = static_cast<double>(w.head_dim + w.value_head_dim) / 2.0;
    const bool aligned = w.head_dim % kAlignedHeadDim == 0;
    const double compute = products * gemm_seconds(seq, seq_kv, head_dim, batch * heads, stored, device, constants) *
                           (aligned ? 1.0 : constants.attention.unaligned_factor);
    const double passes = w.backward ? kUnfusedBackwardPasses : kUnfusedForwardPasses;
    const double traffic = passes * element * batch * heads * seq * seq_kv;
    return Seconds(constants.attention.unfused_factor *
                   (compute + traffic / (bandwidth * constants.memory_bound.bandwidth_fraction)));
  }
  const AttentionConstants& c = constants.attention;
  // The exponentials of a score cost the same whatever the head size: small heads reach a smaller rate.
  const double head_dim = static_cast<double>(w.head_dim + w.value_head_dim) / 2.0;
  const double head_loss = (1.0 + c.score_dims / head_dim) / (1.0 + c.score_dims / kReferenceHeadDim);
  const double rate = peak_or_nearest(device, stored) * c.peak_fraction * c.step_rate / head_loss *
                      (w.backward ? c.backward_rate_ratio : 1.0);
  const double shape =
      1.0 + c.start_tokens / seq + c.tail * kQueryTile * device.multiprocessors / (batch * heads * seq);
  const double kv_heads = static_cast<double>(w.kv_heads);
  const double bytes = element * batch *
                       (2.0 * seq * heads * static_cast<double>(w.head_dim) +
                        2.0 * seq_kv * kv_heads * static_cast<double>(w.value_head_dim)) *
                       (w.backward ? 2.0 : 1.0);
  return Seconds(c.fixed_s + flops(w).count() / rate * shape + bytes / (bandwidth * c.bandwidth_fraction));
}

Seconds duration(const MemoryWork& w, const Accelerator& device, const CostConstants& constants) {
  const MemoryBoundConstants& c = constants.memory_bound;
  const Bytes traffic = to_bytes(w.reads + w.writes);
  return Seconds(c.kernel_s * w.kernels) + traffic / (device.memory_bandwidth * c.bandwidth_fraction);
}

Seconds duration(const OptimizerWork& w, const Accelerator& device, const CostConstants& constants) {
  const MemoryBoundConstants& c = constants.optimizer;
  const Bytes traffic(static_cast<double>(w.parameters) * w.bytes_per_parameter);
  return Seconds(c.kernel_s) + traffic / (device.memory_bandwidth * c.bandwidth_fraction);
}

Seconds compute_duration(const Task& task, const Accelerator& device, const CostConstants& constants) {
  return std::visit(
      [&](const auto& work) {
        using W = std::decay_t<decltype(work)>;
        if constexpr (std::is_same_v<W, FixedWork>)
          return work.is_host_sync ? Seconds(constants.host.expert_layer_s) : work.duration;
        else if constexpr (std::is_same_v<W, CollectiveWork> || std::is_same_v<W, TransferWork> ||
                           std::is_same_v<W, HostIoWork>)
          return Seconds(0.0);
        else
          return duration(work, device, constants);
      },
      task.work);
}

}  // namespace trainwright::model
