// Batches that are not micro-batch x ranks x passes: ranks with unequal shares, totals fixed elsewhere, limits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/units/byte_count.hpp"

namespace trainwright::model {

/// Samples of one step over ranks with these micro-batches, and whether a plain mean over ranks is the mean over
/// samples.
struct EffectiveBatch {
  std::int64_t samples = 0;
  bool is_even = true;
  std::string problem;  ///< what averaging over ranks does to the gradient; empty when even
};
[[nodiscard]] EffectiveBatch effective_batch(const std::vector<std::int64_t>& of_rank);

/// Gradient accumulation that makes `total_tokens` of micro-batches of `seq_len` tokens on `ranks` ranks. Where it is
/// no whole number, `neighbours` are the nearest micro-batches below and above for which it is.
struct Accumulation {
  std::optional<std::int64_t> passes;
  std::vector<std::int64_t> neighbours;
};
[[nodiscard]] Accumulation accumulation_for(std::int64_t total_tokens, std::int64_t micro_batch, std::int64_t seq_len,
                                            std::int64_t ranks);

/// What a rank keeps of its gradients while several micro-batches add up.
enum class GradientDeferral {
  none,          ///< reduced after every micro-batch
  all,           ///< whole gradients kept until the last
  over_replicas  ///< sharded after every micro-batch; only the sum over copies of a shard waits
};
/// Bytes of gradients of one rank: `parameters` x `bytes_each` over `shards` unless whole gradients are kept.
[[nodiscard]] ByteCount deferred_gradient_bytes(GradientDeferral policy, std::int64_t parameters, int bytes_each,
                                                int shards);

/// Time of one synchronisation that a run with and a run without deferral show: their difference per batch, a lower
/// bound since the deferred run still synchronises sometimes.
[[nodiscard]] double sync_seconds_at_least(double every_batch_s, double deferred_s);

}  // namespace trainwright::model
