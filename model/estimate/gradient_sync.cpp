// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/gradient_sync.hpp"

#include <algorithm>

#include "model/collective/collective_cost.hpp"
#include "model/plan/gradient_buckets.hpp"

namespace trainwright::model {

SyncTimes gradient_sync(const StageModel& stage, const Plan& plan, const GroupShape& data_shape) {
  if (data_shape.ranks == 1)
    return {stage.backward.total, Seconds(0.0)};
  const double share = plan.constants.communication_compute_share;
  const std::vector<GradientBucket> buckets = gradient_buckets(stage.part_parameters, plan);
  std::size_t next = 0;
  double now = 0.0;       // of the compute stream
  double data_end = 0.0;  // of the data stream
  const auto start_bucket = [&](double ready) {
    CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::data_context, buckets[next].bytes,
                        message_precision(plan.job)};
    const double duration =
        plan.constants.host.task_s + collective_duration(work, data_shape, plan.cluster, plan.constants).count();
    data_end = std::max(data_end, ready) + duration;
    ++next;
  };
  for (std::size_t part = 0; part < stage.backward_parts.size(); ++part) {
    double work = stage.backward_parts[part].total.count();
    const double beside = std::max(0.0, data_end - now);  // time with a collective under way
    if (share > 0.0 && beside > 0.0) {
      const double done = std::min(work, beside * (1.0 - share));
      now += done / (1.0 - share);
      work -= done;
    }
    now += work;
    while (plan.layout.overlap_gradients && next < buckets.size() && buckets[next].last_part == part)
      start_bucket(now);
  }
  while (next < buckets.size())
    start_bucket(now);
  return {Seconds(now), Seconds(std::max(0.0, data_end - now))};
}

}  // namespace trainwright::model
