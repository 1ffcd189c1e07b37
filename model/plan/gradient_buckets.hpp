// How gradients are grouped into messages. Used by the graph builder and by the analytic estimator alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

struct GradientBucket {
  PartParameters parameters;
  std::size_t last_part = 0;  ///< complete when the backward pass of this part (in backward order) has ended
};

/// `parameters`: on one rank, by part in backward order. A bucket closes with the part that fills it; sharded
/// parameters (zero 3) are reduced part by part. All is one bucket when gradients are not overlapped with the backward
/// pass.
[[nodiscard]] std::vector<GradientBucket> gradient_buckets(const std::vector<PartParameters>& parameters,
                                                           const Plan& plan);

/// Gradient of the embedding that first and last stage share when it is tied to the head.
[[nodiscard]] ByteCount tied_embedding_bytes(const Plan& plan);

}  // namespace trainwright::model
