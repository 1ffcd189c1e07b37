// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "model/estimate/analytic_estimator.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

Layout layout(int dp, int tp, int pp) {
  Layout l;
  l.dp = dp;
  l.tp = tp;
  l.pp = pp;
  return l;
}

Estimate estimate(const Plan& plan) {
  return *AnalyticEstimator().estimate(plan, {}, {});
}

double part(const Estimate& e, StepPart which) {
  return e.breakdown[static_cast<std::size_t>(which)];
}

TEST(Analytic, BreakdownSumsToTheStep) {
  for (const int dp : {1, 4})
    for (const int tp : {1, 4})
      for (const int pp : {1, 4}) {
        const Estimate e = estimate(test::small_plan(layout(dp, tp, pp), 8));
        EXPECT_NEAR(std::accumulate(e.breakdown.begin(), e.breakdown.end(), 0.0), e.step.count(),
                    1e-12 * e.step.count());
        EXPECT_GT(e.step, Seconds(0.0));
        EXPECT_LT(e.step_low, e.step);
        EXPECT_GT(e.step_high, e.step);
      }
}

TEST(Analytic, DoublingTheBatchDoublesComputeOnly) {
  const Estimate once = estimate(test::small_plan(layout(2, 1, 1), 2));
  const Estimate twice = estimate(test::small_plan(layout(2, 1, 1), 4));
  EXPECT_NEAR(part(twice, StepPart::compute), 2.0 * part(once, StepPart::compute), 1e-12);
  EXPECT_NEAR(part(twice, StepPart::optimizer), part(once, StepPart::optimizer), 1e-15);
}

TEST(Analytic, OverlapHidesGradientReduction) {
  Plan plan = test::small_plan(layout(8, 1, 1), 1);
  plan.layout.bucket = ByteCount(1);
  plan.constants.node_link.base_s = plan.constants.node_link.step_s = plan.constants.node_link.knee_s = 0.0;
  const Estimate overlapped = estimate(plan);
  plan.layout.overlap_gradients = false;
  const Estimate serial = estimate(plan);
  EXPECT_LT(part(overlapped, StepPart::exposed_data), part(serial, StepPart::exposed_data));
}

TEST(Analytic, MoreBandwidthNeverMakesAStepSlower) {
  for (const int tp : {1, 8})
    for (const int dp : {1, 4}) {
      Plan plan = test::small_plan(layout(dp, tp, 2), 4);
      plan.model = test::small_gpt(4, 64, 8);
      Seconds before = estimate(plan).step;
      for (int i = 0; i < 6; ++i) {
        plan.cluster.groups.front().link->bandwidth *= 2.0;
        plan.cluster.groups.front().network->rate *= 2.0;
        const Seconds now = estimate(plan).step;
        EXPECT_LE(now, before * (1.0 + 1e-12));
        before = now;
      }
    }
}

TEST(Memory, ClosedFormEqualsAWalkThroughTheGraph) {
  for (const auto schedule : {PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe})
    for (const int tp : {1, 2})
      for (const int pp : {1, 2, 4})
        for (const int micro_batches : {1, 3, 8}) {
          Plan plan = test::small_plan(layout(1, tp, pp), micro_batches);
          plan.layout.schedule = schedule;
          const MemoryEstimate closed = estimate_memory(plan, stage_models(plan));
          const ExecutionGraph graph = build_execution_graph(plan);
          for (int stage = 0; stage < pp; ++stage) {
            const StageMemory walked = walk_memory(graph.program(ProgramId(stage)), true);
            EXPECT_EQ(closed.stages[static_cast<std::size_t>(stage)].peak, walked.peak)
                << "tp " << tp << " pp " << pp << " m " << micro_batches << " stage " << stage;
          }
        }
}

TEST(Memory, FirstStageHoldsDepthTimesTheActivationsOfTheLast) {
  // Case M29: first stage activations p times the last's, apart from embedding and head.
  Plan plan = test::small_plan(layout(1, 1, 4), 16);
  plan.model.has_head = false;
  plan.model.final_norm = false;
  const MemoryEstimate memory = estimate_memory(plan, stage_models(plan));
  const auto activations = [&](std::size_t stage) {
    return memory.stages[stage].terms[static_cast<std::size_t>(MemoryTerm::activations)].count();
  };
  EXPECT_EQ(activations(0), 4 * activations(3));
}

TEST(Memory, StatesFollowTheRecipe) {
  // Case M14: Megatron keeps 18 bytes a parameter without a distributed optimizer.
  Plan plan = test::small_plan(layout(1, 1, 1), 1);
  const StageModels stages = stage_models(plan);
  const MemoryEstimate memory = estimate_memory(plan, stages);
  std::int64_t states = 0;
  for (const MemoryTerm term :
       {MemoryTerm::weights, MemoryTerm::gradients, MemoryTerm::master_weights, MemoryTerm::moments})
    states += memory.stages[0].terms[static_cast<std::size_t>(term)].count();
  EXPECT_EQ(states, 18 * stages.at(0).parameters.total());
}

}  // namespace
}  // namespace trainwright::model
