// SPDX-License-Identifier: Apache-2.0
#include "executor/session/stream_schedule.hpp"

#include <array>
#include <optional>

#include "model/base/contract.hpp"

namespace trainwright::executor {

StreamSchedule::StreamSchedule(const model::Program& program)
    : lane_of_(program.tasks.size()), waits_(program.tasks.size(), 0), first_released_(program.tasks.size() + 1, 0) {
  std::array<std::optional<std::size_t>, model::kStreamCount> lane_of_stream{};
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    auto& lane = lane_of_stream[static_cast<std::size_t>(program.tasks[i].stream)];
    if (!lane) {
      lane = lanes_.size();
      lanes_.push_back({program.tasks[i].stream, {}});
    }
    lane_of_[i] = *lane;
    lanes_[*lane].tasks.push_back(model::TaskId(i));
  }
  const auto crosses = [&](const model::Dependency& d) { return lane_of(d.before) != lane_of(d.after); };
  for (const model::Dependency& d : program.dependencies) {
    TRAINWRIGHT_EXPECTS(d.before.index() < task_count() && d.after.index() < task_count(), "dependency out of range");
    TRAINWRIGHT_EXPECTS(crosses(d) || d.before < d.after, "dependency against the order of its stream");
    if (crosses(d)) {
      ++waits_[d.after.index()];
      ++first_released_[d.before.index() + 1];
    }
  }
  for (std::size_t i = 0; i < task_count(); ++i)
    first_released_[i + 1] += first_released_[i];
  released_.assign(first_released_.back(), model::TaskId(0));
  std::vector<std::size_t> next(first_released_.begin(), first_released_.end() - 1);
  for (const model::Dependency& d : program.dependencies)
    if (crosses(d))
      released_[next[d.before.index()]++] = d.after;
}

}  // namespace trainwright::executor
