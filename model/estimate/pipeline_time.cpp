// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/pipeline_time.hpp"

#include <algorithm>

#include "model/base/contract.hpp"
#include "model/plan/pipeline_schedule.hpp"

namespace trainwright::model {

std::vector<StageEnd> pipeline_times(PipelineSchedule schedule, const std::vector<StageTimes>& stages,
                                     std::int64_t micro_batches, Seconds message) {
  const auto count = static_cast<std::size_t>(micro_batches);
  const std::size_t depth = stages.size();
  std::vector<std::vector<PipelineSlot>> slots;
  for (std::size_t s = 0; s < depth; ++s)
    slots.push_back(pipeline_slots(schedule, static_cast<int>(s), static_cast<int>(depth), micro_batches));
  // Ends of the passes; negative: not yet known.
  std::vector<std::vector<double>> forward(depth, std::vector<double>(count, -1.0));
  std::vector<std::vector<double>> backward(depth, std::vector<double>(count, -1.0));
  std::vector<std::size_t> next(depth, 0);
  std::vector<double> free_at(depth, 0.0);
  std::vector<StageEnd> result(depth);
  std::size_t done = 0;
  while (done < depth) {
    bool moved = false;
    for (std::size_t s = 0; s < depth; ++s)
      while (next[s] < slots[s].size()) {
        const PipelineSlot& slot = slots[s][next[s]];
        const auto m = static_cast<std::size_t>(slot.micro_batch);
        double ready = 0.0;
        if (slot.is_forward && s > 0)
          ready = forward[s - 1][m];
        else if (!slot.is_forward && s + 1 < depth)
          ready = backward[s + 1][m];
        if (ready < 0.0)
          break;
        const bool has_message = slot.is_forward ? s > 0 : s + 1 < depth;
        const double start = std::max(free_at[s], has_message ? ready + message.count() : 0.0);
        const double end = start + (slot.is_forward ? stages[s].forward : stages[s].backward).count();
        (slot.is_forward ? forward : backward)[s][m] = end;
        free_at[s] = end;
        if (!slot.is_forward && m + 1 == count)
          result[s] = {Seconds(start), Seconds(end)};
        moved = true;
        if (++next[s] == slots[s].size())
          ++done;
      }
    TRAINWRIGHT_ENSURES(moved, "the slot orders of the stages wait for each other");
  }
  return result;
}

}  // namespace trainwright::model
