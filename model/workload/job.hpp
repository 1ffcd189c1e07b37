// What the user fixes about the training run itself, whatever the layout: batch, sequence, arithmetic, software.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/hardware/precision.hpp"

namespace trainwright::model {

enum class OptimizerKind { adam, sgd, sgd_momentum };
inline constexpr std::array<std::pair<std::string_view, OptimizerKind>, 3> kOptimizerKindWords{
    {{"adam", OptimizerKind::adam}, {"sgd", OptimizerKind::sgd}, {"sgd-momentum", OptimizerKind::sgd_momentum}}};

enum class AttentionKernel { unfused, flash };
inline constexpr std::array<std::pair<std::string_view, AttentionKernel>, 2> kAttentionKernelWords{
    {{"unfused", AttentionKernel::unfused}, {"flash", AttentionKernel::flash}}};

/// How the cross-entropy over the vocabulary is computed.
enum class LossKernel {
  eager,     ///< one kernel per elementary operation, each result in memory of its own (plain PyTorch)
  in_place,  ///< one kernel per elementary operation, fp32 logits overwritten (Megatron-LM)
  fused,     ///< three passes over the logits (Megatron-Core's fused cross-entropy, compiled PyTorch)
};
inline constexpr std::array<std::pair<std::string_view, LossKernel>, 3> kLossKernelWords{
    {{"eager", LossKernel::eager}, {"in-place", LossKernel::in_place}, {"fused", LossKernel::fused}}};

struct Job {
  std::int64_t global_batch = 1;          ///< sequences per step
  std::int64_t seq_len = 1;               ///< tokens per sequence
  Precision precision = Precision::bf16;  ///< of matrix products
  OptimizerKind optimizer = OptimizerKind::adam;
  AttentionKernel attention = AttentionKernel::flash;
  std::string framework = "megatron-core";
  int year = 0;                           ///< of the software; 0: newest known, said in the assumptions
  double expert_imbalance = 1.0;          ///< tokens of the fullest rank's experts / average; at least 1
  std::optional<double> expert_capacity;  ///< tokens an expert takes at most / average; left out: no token is dropped
  std::optional<bool> dropout;            ///< left out: as recipes of the model's kind have it
  int adapter_rank = 0;                   ///< of low-rank adapters on frozen weights (LoRA); 0: all weights train
  std::optional<LossKernel> loss;         ///< left out: as the framework of that year does by default
  int loss_chunks = 1;                    ///< parts of a micro-batch whose logits exist at a time, one after the other
  /// Tokens of a sequence / seq_len where kernels skip the padding or sequences are packed; 1: nothing is padded.
  double sequence_fill = 1.0;
  /// Tokens that reach head and loss / all tokens; a masked language model gathers the masked ones before its head.
  double loss_share = 1.0;
  std::optional<std::int64_t> steps;  ///< length of the training, for time, price and energy
  friend bool operator==(const Job&, const Job&) = default;
};

}  // namespace trainwright::model
