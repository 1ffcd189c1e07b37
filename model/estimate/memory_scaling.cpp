// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/memory_scaling.hpp"

#include <algorithm>

#include "model/base/contract.hpp"
#include "model/estimate/memory_estimate.hpp"

namespace trainwright::model {
namespace {

StageMemory fullest(const Plan& plan) {
  const MemoryEstimate memory = estimate_memory(plan, stage_models(plan));
  return *std::max_element(memory.stages.begin(), memory.stages.end(),
                           [](const StageMemory& a, const StageMemory& b) { return a.peak < b.peak; });
}

}  // namespace

MemoryScaling memory_scaling(const Plan& plan) {
  Plan doubled = plan;
  doubled.layout.dp *= 2;
  doubled.job.global_batch *= 2;
  doubled.cluster = resized(plan.cluster, std::max(device_count(plan.cluster), world_size(doubled.layout)));
  const StageMemory now = fullest(plan);
  const StageMemory then = fullest(doubled);
  MemoryScaling scaling;
  for (std::size_t i = 0; i < kMemoryTermCount; ++i) {
    TermScaling term{static_cast<MemoryTerm>(i), now.terms[i], then.terms[i]};
    if (term.now.count() == 0 && term.doubled.count() == 0)
      continue;
    term.is_sharded = term.doubled < term.now;
    // a + b / N at N and at 2 N leaves a = 2 (a + b / 2N) - (a + b / N).
    const std::int64_t left = 2 * term.doubled.count() - term.now.count();
    scaling.floor += term.is_sharded ? ByteCount(std::max<std::int64_t>(0, left)) : term.doubled;
    scaling.terms.push_back(term);
  }
  return scaling;
}

bool BatchSlope::is_unexpected() const {
  constexpr double kNoise = 0.01;
  return bytes_per_micro_batch > kNoise * at_zero;
}

BatchSlope memory_slope(const std::vector<PeakPoint>& points) {
  TRAINWRIGHT_EXPECTS(points.size() >= 2, "two peaks to compare");
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (const PeakPoint& point : points) {
    mean_x += point.micro_batches / static_cast<double>(points.size());
    mean_y += point.bytes / static_cast<double>(points.size());
  }
  double xx = 0.0;
  double xy = 0.0;
  for (const PeakPoint& point : points) {
    xx += (point.micro_batches - mean_x) * (point.micro_batches - mean_x);
    xy += (point.micro_batches - mean_x) * (point.bytes - mean_y);
  }
  TRAINWRIGHT_EXPECTS(xx > 0.0, "different numbers of micro-batches");
  return {xy / xx, mean_y - xy / xx * mean_x};
}

}  // namespace trainwright::model
