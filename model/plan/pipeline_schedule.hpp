// In which order a stage works through its micro-batches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/layout.hpp"

namespace trainwright::model {

struct PipelineSlot {
  bool is_forward = true;
  std::int32_t micro_batch = 0;
  std::int16_t chunk = 0;
  friend bool operator==(const PipelineSlot&, const PipelineSlot&) = default;
};

/// Slots of `stage` of `stages` for `micro_batches`. 1F1B: arXiv 2104.04473, section 2.2.1; GPipe: all forwards first.
[[nodiscard]] std::vector<PipelineSlot> pipeline_slots(PipelineSchedule schedule, int stage, int stages,
                                                       std::int64_t micro_batches);

/// Layers [first, last) of a stage for an even split.
struct LayerRange {
  int begin = 0;
  int end = 0;
};
[[nodiscard]] LayerRange stage_layers(int layers, int stage, int stages);

}  // namespace trainwright::model
