// SPDX-License-Identifier: Apache-2.0
#include "model/plan/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trainwright::model {
namespace {

std::string text(const std::vector<PipelineSlot>& slots) {
  std::string result;
  for (const PipelineSlot& slot : slots)
    result += (slot.is_forward ? "F" : "B") + std::to_string(slot.micro_batch) + " ";
  return result;
}

TEST(PipelineSchedule, OneForwardOneBackwardWarmsUpByDepth) {
  EXPECT_EQ(text(pipeline_slots(PipelineSchedule::one_f_one_b, 0, 3, 4)), "F0 F1 F2 B0 F3 B1 B2 B3 ");
  EXPECT_EQ(text(pipeline_slots(PipelineSchedule::one_f_one_b, 2, 3, 4)), "F0 B0 F1 B1 F2 B2 F3 B3 ");
}

TEST(PipelineSchedule, FewerMicroBatchesThanStages) {
  EXPECT_EQ(text(pipeline_slots(PipelineSchedule::one_f_one_b, 0, 8, 2)), "F0 F1 B0 B1 ");
}

TEST(PipelineSchedule, GpipeRunsAllForwardsFirst) {
  EXPECT_EQ(text(pipeline_slots(PipelineSchedule::gpipe, 0, 2, 3)), "F0 F1 F2 B0 B1 B2 ");
}

TEST(PipelineSchedule, KeepsDepthMinusStageMicroBatchesInFlight) {
  // Case M29: p = 8, m = 16 keeps 8, 7, ..., 1.
  for (int stage = 0; stage < 8; ++stage) {
    int now = 0;
    int most = 0;
    for (const PipelineSlot& slot : pipeline_slots(PipelineSchedule::one_f_one_b, stage, 8, 16)) {
      now += slot.is_forward ? 1 : -1;
      most = std::max(most, now);
    }
    EXPECT_EQ(most, 8 - stage);
  }
}

}  // namespace
}  // namespace trainwright::model
