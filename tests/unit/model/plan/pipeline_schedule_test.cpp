// SPDX-License-Identifier: Apache-2.0
#include "model/plan/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "model/estimate/pipeline_time.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

Layout pipeline(PipelineSchedule schedule, int pp, int vpp = 1) {
  Layout layout;
  layout.schedule = schedule;
  layout.pp = pp;
  layout.vpp = vpp;
  return layout;
}

// "F0 B0", chunks of more than one as letters: "F0b"; b: gradient of the input, w: of the weights.
std::string text(const std::vector<PipelineSlot>& slots, bool with_chunks = false) {
  std::string result;
  for (const PipelineSlot& slot : slots) {
    result += std::string(1, "FBbw"[static_cast<std::size_t>(slot.kind)]) + std::to_string(slot.micro_batch);
    if (with_chunks)
      result += static_cast<char>('A' + slot.chunk);
    result += " ";
  }
  return result;
}

double step(const Layout& layout, std::int64_t micro_batches, StageTimes times) {
  EqualPasses timer(std::vector<StageTimes>(static_cast<std::size_t>(layout.pp), times));
  const std::vector<Seconds> ends = pipeline_ends(layout, micro_batches, Seconds(0.0), timer);
  return std::max_element(ends.begin(), ends.end())->count();
}

TEST(PipelineSchedule, OneForwardOneBackwardWarmsUpByDepth) {
  const Layout layout = pipeline(PipelineSchedule::one_f_one_b, 3);
  EXPECT_EQ(text(pipeline_slots(layout, 0, 4)), "F0 F1 F2 B0 F3 B1 B2 B3 ");
  EXPECT_EQ(text(pipeline_slots(layout, 2, 4)), "F0 B0 F1 B1 F2 B2 F3 B3 ");
}

TEST(PipelineSchedule, FewerMicroBatchesThanStages) {
  EXPECT_EQ(text(pipeline_slots(pipeline(PipelineSchedule::one_f_one_b, 8), 0, 2)), "F0 F1 B0 B1 ");
}

TEST(PipelineSchedule, GpipeRunsAllForwardsFirst) {
  EXPECT_EQ(text(pipeline_slots(pipeline(PipelineSchedule::gpipe, 2), 0, 3)), "F0 F1 F2 B0 B1 B2 ");
}

TEST(PipelineSchedule, InterleavedVisitsChunksInGroupsOfMicroBatches) {
  const Layout layout = pipeline(PipelineSchedule::interleaved, 2, 2);
  EXPECT_EQ(text(pipeline_slots(layout, 1, 4), true),
            "F0A F1A F0B B0B F1B B1B F2A B0A F3A B1A F2B B2B F3B B3B B2A B3A ");
  EXPECT_EQ(text(pipeline_slots(layout, 0, 2), true), "F0A F1A F0B F1B B0B B1B B0A B1A ");
}

TEST(PipelineSchedule, ZeroBubblePutsWeightGradientsOffByTheStage) {
  const Layout layout = pipeline(PipelineSchedule::zero_bubble_h1, 3);
  EXPECT_EQ(text(pipeline_slots(layout, 0, 3)), "F0 F1 F2 b0 w0 b1 w1 b2 w2 ");
  EXPECT_EQ(text(pipeline_slots(layout, 2, 3)), "F0 b0 F1 b1 F2 b2 w0 w1 w2 ");
}

TEST(PipelineSchedule, M29KeepsDepthMinusStageMicroBatchesInFlight) {
  for (int stage = 0; stage < 8; ++stage)
    EXPECT_EQ(held_chunks(pipeline_slots(pipeline(PipelineSchedule::one_f_one_b, 8), stage, 16)), 8 - stage);
}

TEST(PipelineSchedule, ZeroBubbleHoldsOnEveryStageWhatTheFirstHolds) {
  for (int stage = 0; stage < 8; ++stage)
    EXPECT_EQ(held_chunks(pipeline_slots(pipeline(PipelineSchedule::zero_bubble_h1, 8), stage, 16)), 8);
}

TEST(PipelineSchedule, DualPipeHoldsOneMoreThanTheDepth) {
  // arXiv 2412.19437, table 2: activations of PP + 1 micro-batches.
  for (int stage = 0; stage < 8; ++stage)
    EXPECT_LE(held_chunks(pipeline_slots(pipeline(PipelineSchedule::dual_pipe, 8), stage, 20)), 8 + 1);
}

class EverySchedule : public ::testing::TestWithParam<Layout> {};

TEST_P(EverySchedule, RunsEachPassOnceInAnOrderThatEnds) {
  const Layout& layout = GetParam();
  constexpr std::int64_t kCount = 24;
  for (int stage = 0; stage < layout.pp; ++stage) {
    // (chunk, micro-batch) -> forward, gradient of input, of weights
    std::map<std::pair<int, int>, std::array<int, 3>> done;
    for (const PipelineSlot& slot : pipeline_slots(layout, stage, kCount)) {
      std::array<int, 3>& passes = done[{slot.chunk, slot.micro_batch}];
      const bool input = slot.kind == SlotKind::backward || slot.kind == SlotKind::backward_input;
      const bool weight = slot.kind == SlotKind::backward || slot.kind == SlotKind::backward_weight;
      EXPECT_EQ(passes[0], slot.kind == SlotKind::forward ? 0 : 1) << "backward without forward";
      passes[0] += slot.kind == SlotKind::forward ? 1 : 0;
      passes[1] += input ? 1 : 0;
      EXPECT_GE(passes[1], weight ? 1 : 0) << "weights before input";
      passes[2] += weight ? 1 : 0;
    }
    EXPECT_EQ(static_cast<std::int64_t>(done.size()),
              chunks_per_stage(layout) * micro_batches_of_chunk(layout, kCount));
    for (const auto& [key, passes] : done)
      EXPECT_EQ(passes, (std::array{1, 1, 1})) << "chunk " << key.first << " micro-batch " << key.second;
  }
  EXPECT_GT(step(layout, kCount, {Seconds(1.0), Seconds(1.0), Seconds(1.0)}), 3.0 * kCount - 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, EverySchedule,
    ::testing::Values(pipeline(PipelineSchedule::gpipe, 4), pipeline(PipelineSchedule::one_f_one_b, 6),
                      pipeline(PipelineSchedule::interleaved, 4, 3), pipeline(PipelineSchedule::interleaved, 2, 5),
                      pipeline(PipelineSchedule::zero_bubble_h1, 6), pipeline(PipelineSchedule::dual_pipe, 2),
                      pipeline(PipelineSchedule::dual_pipe, 4), pipeline(PipelineSchedule::dual_pipe, 6),
                      pipeline(PipelineSchedule::dual_pipe, 12)));

// Idle time of the whole step with F = 1, B (input) = 1.2, W (weights) = 0.9 of a stage, m = 16, p = 4.
constexpr StageTimes kUneven{Seconds(1.0), Seconds(1.2), Seconds(0.9)};
constexpr double kWork = 16 * 3.1;

TEST(PipelineBubble, P01OfOneForwardOneBackwardIsDepthMinusOnePasses) {
  // arXiv 2104.04473, section 2.2.1: (p - 1)(f + b).
  EXPECT_NEAR(step(pipeline(PipelineSchedule::one_f_one_b, 4), 16, kUneven) - kWork, 3 * 3.1, 1e-9);
  EXPECT_NEAR(step(pipeline(PipelineSchedule::gpipe, 4), 16, kUneven) - kWork, 3 * 3.1, 1e-9);
}

TEST(PipelineBubble, OfInterleavedIsDividedByTheChunks) {
  // arXiv 2104.04473, section 2.2.2: (p - 1)(f + b) / v, with passes of 1/v of the stage.
  const StageTimes chunk{Seconds(1.0 / 4), Seconds(1.2 / 4), Seconds(0.9 / 4)};
  EXPECT_NEAR(step(pipeline(PipelineSchedule::interleaved, 4, 4), 16, chunk) - kWork, 3 * 3.1 / 4, 1e-9);
}

TEST(PipelineBubble, OfZeroBubbleLacksTheWeightGradients) {
  // arXiv 2401.10241, table 2 (ZB-H1): (p - 1)(F + B - W).
  EXPECT_NEAR(step(pipeline(PipelineSchedule::zero_bubble_h1, 4), 16, kUneven) - kWork, 3 * (1.0 + 1.2 - 0.9), 1e-9);
}

TEST(PipelineBubble, OfDualPipeIsSmallerThanOfZeroBubble) {
  // arXiv 2412.19437, table 2: (p/2 - 1)(F&B + B - 3W) with passes that run side by side and end together. Here the
  // forward pass of a pair ends before the backward pass and is sent on earlier.
  const double idle = step(pipeline(PipelineSchedule::dual_pipe, 4), 16, kUneven) - kWork;
  EXPECT_NEAR(idle, (4 / 2 - 1) * (1.0 + 1.2 - 0.9), 1e-9);
  EXPECT_LT(idle, (4 / 2 - 1) * ((1.0 + 1.2 + 0.9) + (1.2 + 0.9) - 3 * 0.9));
}

TEST(PipelineBubble, TheSlowestStageSetsThePace) {
  std::vector<StageTimes> stages(4, {Seconds(1.0), Seconds(1.0), Seconds(1.0)});
  stages.back() = {Seconds(2.0), Seconds(2.0), Seconds(2.0)};
  EqualPasses timer(stages);
  const auto ends = pipeline_ends(pipeline(PipelineSchedule::one_f_one_b, 4), 8, Seconds(0.0), timer);
  EXPECT_DOUBLE_EQ(ends.front().count(), 8 * 6.0 + 3 * 3.0);
}

TEST(PipelineShape, InterleavedPutsEveryPpthVirtualStageOnAStage) {
  const Layout layout = pipeline(PipelineSchedule::interleaved, 4, 2);
  EXPECT_EQ(virtual_stage_count(layout), 8);
  EXPECT_EQ(virtual_stage(layout, {1, 1}), 5);
  EXPECT_EQ(next_place(layout, {3, 0}), (ChunkPlace{0, 1}));
  EXPECT_EQ(previous_place(layout, {0, 1}), (ChunkPlace{3, 0}));
}

TEST(PipelineShape, DualPipeRunsItsSecondChunkBackwards) {
  const Layout layout = pipeline(PipelineSchedule::dual_pipe, 4);
  EXPECT_EQ(virtual_stage_count(layout), 4);
  EXPECT_EQ(virtual_stage(layout, {0, 1}), 3);
  EXPECT_EQ(next_place(layout, {2, 1}), (ChunkPlace{1, 1}));
  EXPECT_EQ(previous_place(layout, {2, 1}), (ChunkPlace{3, 1}));
}

TEST(PipelineShape, TakesLayersFromTheEndsWhereTheyDoNotDivide) {
  std::vector<int> sizes;
  for (const LayerRange& range : layer_ranges(126, pipeline(PipelineSchedule::one_f_one_b, 16)))
    sizes.push_back(range.size());
  EXPECT_EQ(sizes, (std::vector<int>{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7}));
}

TEST(PipelineShape, FollowsAStatedSplit) {
  Layout layout = pipeline(PipelineSchedule::one_f_one_b, 3);
  layout.stage_layers = {4, 6, 5};
  EXPECT_EQ(layer_ranges(15, layout), (std::vector<LayerRange>{{0, 4}, {4, 10}, {10, 15}}));
}

}  // namespace
}  // namespace trainwright::model
