// SPDX-License-Identifier: Apache-2.0
#include "model/plan/pipeline_schedule.hpp"

#include <algorithm>

#include "model/base/contract.hpp"

namespace trainwright::model {

std::vector<PipelineSlot> pipeline_slots(PipelineSchedule schedule, int stage, int stages, std::int64_t micro_batches) {
  TRAINWRIGHT_EXPECTS(stage >= 0 && stage < stages && micro_batches > 0,
                      std::to_string(stage) + " of " + std::to_string(stages));
  const auto count = static_cast<std::int32_t>(micro_batches);
  std::int32_t ahead = 0;
  switch (schedule) {
    case PipelineSchedule::one_f_one_b:
      ahead = std::min(count, stages - 1 - stage);
      break;
    case PipelineSchedule::gpipe:
      ahead = count;
      break;
    default:
      TRAINWRIGHT_EXPECTS(false, "schedule has no slot order");
  }
  std::vector<PipelineSlot> slots;
  slots.reserve(2 * static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < ahead; ++i)
    slots.push_back({true, i, 0});
  for (std::int32_t i = ahead; i < count; ++i) {
    slots.push_back({true, i, 0});
    slots.push_back({false, i - ahead, 0});
  }
  for (std::int32_t i = count - ahead; i < count; ++i)
    slots.push_back({false, i, 0});
  return slots;
}

LayerRange stage_layers(int layers, int stage, int stages) {
  TRAINWRIGHT_EXPECTS(layers % stages == 0,
                      std::to_string(layers) + " layers on " + std::to_string(stages) + " stages");
  const int each = layers / stages;
  return {stage * each, (stage + 1) * each};
}

}  // namespace trainwright::model
