// What all micro-benchmarks have in common: how a point is sampled by a group of ranks within its share of the time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "executor/measurement/disturbance.hpp"
#include "executor/measurement/rank_group.hpp"

namespace trainwright::executor {

struct PointRules {
  double median_error = 0.02;     ///< converged when the median is known this well ...
  std::int64_t min_samples = 7;   ///< ... from at least so many samples
  std::int64_t min_attempts = 3;  ///< taken even if the share of the time is over
  /// A sample repeats the operation until it lasts this long, so that clock and barrier do not show.
  model::Seconds sample_time = model::Seconds(2e-3);
};

struct PointTask {
  std::function<void()> operation;           ///< does the thing once
  std::function<void()> before_sample = {};  ///< not timed; may be empty
  int max_repeats = 1'000'000;
  int active_ranks = 1;  ///< the first so many do it, the others wait
  DisturbanceBounds bounds = sharing_bounds();
  TimeBase time_base = TimeBase::wall;
  RankContext::Combine combine = RankContext::Combine::mean;
};

/// Together: up to three calls warm up and set the number of repetitions, then samples are taken until the rules are
/// met or `limit` has passed. Times are of one operation. The same result on all ranks.
[[nodiscard]] model::SampleSummary sample_point(RankContext& context, const PointTask& task, const PointRules& rules,
                                                model::Seconds limit, std::string* fault_text = nullptr);

/// Rank 0 reports a point that has valid samples, or a remark that says why there is none. `name` is for the remark.
template <class Point>
void report_point(const RankContext& context, const std::string& name, const Point& point,
                  const std::string& fault_text) {
  if (context.rank() != 0)
    return;
  if (point.time.count > 0)
    context.report(Record(point));
  else
    context.report(Record(RemarkRecord{FixedText<480>(name + " left out: " + fault_text)}));
}

/// Rank 0 reports how far the group is.
void report_progress(const RankContext& context, double done, const std::string& what);

/// "64 KiB" for whole binary multiples, for names of points.
[[nodiscard]] std::string size_text(std::int64_t bytes);

}  // namespace trainwright::executor
