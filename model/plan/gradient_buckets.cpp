// SPDX-License-Identifier: Apache-2.0
#include "model/plan/gradient_buckets.hpp"

#include "model/plan/lowering.hpp"

namespace trainwright::model {

std::vector<GradientBucket> gradient_buckets(const std::vector<PartParameters>& parameters, const Plan& plan) {
  const bool is_unit_wise = sharding_of(plan.layout).parameters;
  std::vector<GradientBucket> buckets;
  PartParameters filled;
  for (std::size_t part = 0; part < parameters.size(); ++part) {
    filled += parameters[part];
    const bool is_last = part + 1 == parameters.size();
    const bool is_full =
        is_unit_wise || (plan.layout.overlap_gradients &&
                         tensor_bytes(filled.total(), message_precision(plan.job)) >= plan.layout.bucket);
    if ((is_full || is_last) && filled.total() > 0) {
      buckets.push_back({filled, part});
      filled = {};
    }
  }
  return buckets;
}

ByteCount tied_embedding_bytes(const Plan& plan) {
  return tensor_bytes(padded_vocab(plan.model.vocab, plan.layout.tp) / plan.layout.tp * plan.model.hidden,
                      message_precision(plan.job));
}

}  // namespace trainwright::model
