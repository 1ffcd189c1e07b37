// SPDX-License-Identifier: Apache-2.0
#include "model/plan/batch_shares.hpp"

#include <algorithm>
#include <numeric>

#include "model/base/contract.hpp"

namespace trainwright::model {

EffectiveBatch effective_batch(const std::vector<std::int64_t>& of_rank) {
  TRAINWRIGHT_EXPECTS(!of_rank.empty(), "ranks");
  EffectiveBatch result;
  result.samples = std::accumulate(of_rank.begin(), of_rank.end(), std::int64_t{0});
  const auto [least, most] = std::minmax_element(of_rank.begin(), of_rank.end());
  result.is_even = *least == *most;
  if (!result.is_even)
    result.problem =
        "ranks have " + std::to_string(*least) + " to " + std::to_string(*most) +
        " samples: a mean over ranks counts the samples of small ranks more; weigh each rank by its samples";
  return result;
}

Accumulation accumulation_for(std::int64_t total_tokens, std::int64_t micro_batch, std::int64_t seq_len,
                              std::int64_t ranks) {
  TRAINWRIGHT_EXPECTS(total_tokens > 0 && micro_batch > 0 && seq_len > 0 && ranks > 0, "batch");
  const auto fits = [&](std::int64_t micro) { return total_tokens % (micro * seq_len * ranks) == 0; };
  if (fits(micro_batch))
    return {total_tokens / (micro_batch * seq_len * ranks), {}};
  Accumulation result;
  for (std::int64_t below = micro_batch - 1; below > 0 && result.neighbours.empty(); --below)
    if (fits(below))
      result.neighbours.push_back(below);
  const std::int64_t most = total_tokens / (seq_len * ranks);
  for (std::int64_t above = micro_batch + 1; above <= most; ++above)
    if (fits(above)) {
      result.neighbours.push_back(above);
      break;
    }
  return result;
}

ByteCount deferred_gradient_bytes(GradientDeferral policy, std::int64_t parameters, int bytes_each, int shards) {
  TRAINWRIGHT_EXPECTS(parameters >= 0 && bytes_each > 0 && shards > 0, "gradients");
  const std::int64_t whole = parameters * bytes_each;
  return ByteCount(policy == GradientDeferral::all ? whole : (whole + shards - 1) / shards);
}

double sync_seconds_at_least(double every_batch_s, double deferred_s) {
  return std::max(0.0, every_batch_s - deferred_s);
}

}  // namespace trainwright::model
