// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace trainwright::executor {
namespace {

Sample timed(const PointTask& task, int repeats) {
  const ProcessorReading before = read_before(task.bounds);
  for (int i = 0; i < repeats; ++i)
    task.operation();
  const ProcessorReading after = read_after(task.bounds);
  const model::Seconds time =
      task.time_base == TimeBase::wall ? after.wall - before.wall : after.thread - before.thread;
  return {time / repeats, disturbance(before, after, task.bounds)};
}

}  // namespace

model::SampleSummary sample_point(RankContext& context, const PointTask& task, const PointRules& rules,
                                  model::Seconds limit, std::string* fault_text) {
  const bool active = context.rank() < task.active_ranks;
  const auto prepare = [&] {
    if (active && task.before_sample)
      task.before_sample();
    context.wait_for_all();
  };
  // The first call pays for cold caches and connections; the slower of the next two tells how long one takes, so that a
  // lucky one on a busy machine does not make all samples long.
  double one = 0.0;
  for (int i = 0; i < 3; ++i) {
    prepare();
    const double time = context.largest(active ? timed(task, 1).time.count() : 0.0);
    one = i == 0 ? 0.0 : std::max(one, time);
    if (time > 2.0 * rules.sample_time.count()) {
      one = time;  // not repeated within a sample in any case
      break;
    }
  }
  const int repeats = static_cast<int>(
      std::clamp(std::ceil(rules.sample_time.count() / one), 1.0, static_cast<double>(task.max_repeats)));

  const MedianError enough(rules.median_error, rules.min_samples);
  const TimeLimit time_limit(limit, rules.min_attempts);
  const model::Seconds begin = context.clock().now();
  const Sampled sampled = take_samples({0, enough, time_limit}, [&] {
    prepare();
    const Sample own = active ? timed(task, repeats) : Sample{};
    return context.agree(own, active, context.clock().now() - begin, task.combine);
  });
  if (fault_text != nullptr)
    *fault_text = sampled.samples.fault_text();
  return summarize(sampled.samples, sampled.converged);
}

void report_progress(const RankContext& context, double done, const std::string& what) {
  if (context.rank() == 0)
    context.report(Record(ProgressRecord{done, FixedText<96>(what)}));
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + std::string(kUnits[unit]);
}

}  // namespace trainwright::executor
