// SPDX-License-Identifier: Apache-2.0
#include "model/plan/gradient_buckets.hpp"

#include "model/plan/lowering.hpp"

namespace trainwright::model {

std::vector<GradientBucket> gradient_buckets(const std::vector<std::int64_t>& parameters, const Plan& plan) {
  std::vector<GradientBucket> buckets;
  ByteCount filled;
  for (std::size_t part = 0; part < parameters.size(); ++part) {
    filled += tensor_bytes(parameters[part], message_precision(plan.job));
    const bool is_last = part + 1 == parameters.size();
    const bool is_full = plan.layout.overlap_gradients && filled >= plan.layout.bucket;
    if ((is_full || is_last) && filled.count() > 0) {
      buckets.push_back({filled, part});
      filled = ByteCount(0);
    }
  }
  return buckets;
}

ByteCount tied_embedding_bytes(const Plan& plan) {
  return tensor_bytes(padded_vocab(plan.model.vocab, plan.layout.tp) / plan.layout.tp * plan.model.hidden,
                      message_precision(plan.job));
}

}  // namespace trainwright::model
