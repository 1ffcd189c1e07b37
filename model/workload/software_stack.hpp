// What the software of a job does beside the matrix products: which kernels it fuses, which copies it keeps, in what it
// adds up gradients. Framework, attention kernel and year decide. Choices and sources: docs/models/lowering.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/workload/job.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

/// How the cross-entropy over the vocabulary is computed.
enum class LossKernel {
  eager,     ///< one kernel per elementary operation, each result in memory of its own (plain PyTorch)
  in_place,  ///< one kernel per elementary operation, fp32 logits overwritten (Megatron-LM until 2023)
  fused,     ///< three passes over the logits (Megatron-Core, compiled PyTorch)
};

/// How a weight gradient of one micro-batch joins those before.
enum class GradientSum {
  in_product,   ///< the matrix product itself adds: no traffic beyond its own
  fused_fp32,   ///< the product reads and writes the fp32 sum instead of writing 16 bits
  kernel_fp32,  ///< a kernel adds the 16-bit gradient to the fp32 sum
  kernel_16,    ///< a kernel adds in 16 bits, from the second micro-batch on
};

/// Kernels and overlap of frameworks changed together; constants of whole steps are shipped for each of these.
enum class SoftwareGeneration {
  until_2022,  ///< attention over stored scores, eager kernels around the matrix products
  of_2023,     ///< first fused attention kernels, FSDP of PyTorch 2.0
  current,     ///< Transformer Engine and Megatron-Core, compiled PyTorch, fused attention tuned for the card
};
inline constexpr std::array<std::pair<std::string_view, SoftwareGeneration>, 3> kSoftwareGenerationWords{
    {{"2022", SoftwareGeneration::until_2022},
     {"2023", SoftwareGeneration::of_2023},
     {"current", SoftwareGeneration::current}}};
/// `year` 0: the newest. Transformer Engine (framework "megatron-te") is current from its first release on.
[[nodiscard]] SoftwareGeneration software_generation(std::string_view framework, std::int64_t year);

/// What data-parallel communication runs beside by default.
struct DataOverlap {
  bool gradients = true;   ///< the backward pass
  bool parameters = true;  ///< the next forward pass (optimizer sharded), the units before (parameters sharded)
};
[[nodiscard]] DataOverlap default_data_overlap(std::string_view framework, std::int64_t year);

/// Collectives that gather one layer's sharded parameters: DeepSpeed until 2022 gathered each tensor by itself.
[[nodiscard]] int gathers_per_layer(const Job& job);

struct SoftwareStack {
  bool fuses_elementwise = true;  ///< norm, activation, rotary embedding, dropout with residual: one kernel each
  bool has_dropout = false;       ///< trains with dropout: masks are read, written and kept
  LossKernel loss = LossKernel::fused;
  GradientSum gradient_sum = GradientSum::fused_fp32;
  std::vector<std::string> assumptions;  ///< what was decided for the user, in words
  friend bool operator==(const SoftwareStack&, const SoftwareStack&) = default;
};

[[nodiscard]] SoftwareStack software_stack(const Job& job, const Model& model);

/// Bytes read and written per weight and micro-batch by the sum, beyond the product's own output.
[[nodiscard]] int gradient_sum_reads(GradientSum sum);
[[nodiscard]] int gradient_sum_writes(GradientSum sum);

/// Bytes per logit on a rank.
struct LossTraffic {
  int forward_reads = 0;
  int forward_writes = 0;
  int forward_kernels = 0;
  int backward_reads = 0;
  int backward_writes = 0;
  int backward_kernels = 0;
};
[[nodiscard]] LossTraffic loss_traffic(LossKernel kernel);

/// One copy of the logits in memory.
struct LogitCopy {
  std::string name;         ///< "fp32 logits"
  int bytes = 0;            ///< per logit
  bool is_forward = false;  ///< exists at the end of the loss
  bool is_kept = false;     ///< from forward to backward
};
/// `stored`: bytes of a logit as the head's product writes it.
[[nodiscard]] std::vector<LogitCopy> logit_copies(LossKernel kernel, int stored);

}  // namespace trainwright::model
