// What the user fixes about the training run itself, whatever the layout: batch, sequence, arithmetic, software.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "model/hardware/precision.hpp"

namespace trainwright::model {

enum class OptimizerKind { adam, sgd, sgd_momentum };
inline constexpr std::array<std::pair<std::string_view, OptimizerKind>, 3> kOptimizerKindWords{
    {{"adam", OptimizerKind::adam}, {"sgd", OptimizerKind::sgd}, {"sgd-momentum", OptimizerKind::sgd_momentum}}};

enum class AttentionKernel { unfused, flash };
inline constexpr std::array<std::pair<std::string_view, AttentionKernel>, 2> kAttentionKernelWords{
    {{"unfused", AttentionKernel::unfused}, {"flash", AttentionKernel::flash}}};

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
  /// Tokens of a sequence / seq_len where kernels skip the padding or sequences are packed; 1: nothing is padded.
  double sequence_fill = 1.0;
  /// Tokens that reach head and loss / all tokens; a masked language model gathers the masked ones before its head.
  double loss_share = 1.0;
  std::optional<std::int64_t> steps;      ///< length of the training, for time, price and energy
  friend bool operator==(const Job&, const Job&) = default;
};

}  // namespace trainwright::model
