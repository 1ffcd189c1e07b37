// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/completion_check.hpp"

#include <algorithm>

#include "simulator/engine/item_times.hpp"

namespace trainwright::simulator {
namespace {

constexpr std::size_t kNamed = 5;

// Whether everything before an item on its rank ended: then it is stuck itself and does not just wait its turn.
bool is_stuck(const RunPlan& plan, const RunRecord& record, int sim, int item) {
  const ItemProgram& items = *plan.ranks[static_cast<std::size_t>(sim)].items;
  const std::vector<double>& end = record.end[static_cast<std::size_t>(sim)];
  const int previous = items.items[static_cast<std::size_t>(item)].previous;
  if (previous >= 0 && end[static_cast<std::size_t>(previous)] == kNotYet)
    return false;
  const std::vector<int>& before = items.predecessors[static_cast<std::size_t>(item)];
  return std::none_of(before.begin(), before.end(), [&](int b) { return end[static_cast<std::size_t>(b)] == kNotYet; });
}

}  // namespace

void check_completion(const RunPlan& plan, const RunRecord& record) {
  std::int64_t unfinished = 0;
  std::int64_t total = 0;
  std::vector<std::string> stuck;
  const ItemTimes times(plan, record);
  for (std::size_t sim = 0; sim < plan.ranks.size(); ++sim) {
    const std::vector<double>& end = record.end[sim];
    total += static_cast<std::int64_t>(end.size());
    for (std::size_t i = 0; i < end.size(); ++i) {
      if (end[i] != kNotYet)
        continue;
      ++unfinished;
      const int s = static_cast<int>(sim);
      const int item = static_cast<int>(i);
      if (stuck.size() < kNamed && is_stuck(plan, record, s, item))
        stuck.push_back("rank " + std::to_string(plan.ranks[sim].rank.value()) + ": " +
                        model::to_text(times.task(s, times.item(s, item).first_task)));
    }
  }
  if (unfinished == 0)
    return;
  std::string text =
      std::to_string(unfinished) + " of " + std::to_string(total) + " steps of work never ended; stuck: ";
  for (std::size_t i = 0; i < stuck.size(); ++i)
    text += (i > 0 ? "; " : "") + stuck[i];
  throw SimulationIncomplete(text);
}

}  // namespace trainwright::simulator
