// SPDX-License-Identifier: Apache-2.0
#include "model/plan/resolve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/model/plan/plan_builders.hpp"

namespace trainwright::model {
namespace {

using testing::HasSubstr;
using testing_support::cpu_cluster;
using testing_support::dense_model;
using testing_support::gpu_cluster;
using testing_support::Resolved;
using testing_support::resolved;

TEST(Resolve, V14_BrokenBatchIdentityNamesTheWorldThatWouldSatisfyIt) {
  const Resolved first = resolved(dense_model(16, 4), gpu_cluster(1),
                                  {.gpus = 1, .micro_batch = 4, .micro_batches = 8, .global_batch = 64});
  EXPECT_EQ(first.of_rule("job.global-batch").message, "64 is not micro-batch 4 x dp 1 x 8 micro-batches = 32");
  EXPECT_THAT(first.of_rule("job.global-batch").hint, HasSubstr("world 2"));
  const Resolved second = resolved(dense_model(16, 4), gpu_cluster(1),
                                   {.gpus = 1, .micro_batch = 2, .micro_batches = 1, .global_batch = 8});
  EXPECT_THAT(second.of_rule("job.global-batch").hint, HasSubstr("world 4"));
}

TEST(Resolve, V15_TpOverAllGpusLeavesOneReplica) {
  const Resolved derived = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .tp = 8});
  ASSERT_TRUE(derived.plan) << derived.problems.to_text();
  EXPECT_EQ(derived.plan->layout.dp, 1);
  EXPECT_TRUE(derived.assumes("dp 1 = 8 ranks / (tp 8 x pp 1 x cp 1)"));
  const Resolved refused = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .dp = 8, .tp = 8});
  EXPECT_FALSE(refused.plan);
  EXPECT_EQ(refused.of_rule("layout.world-size").message,
            "dp 8 x tp 8 x pp 1 x cp 1 = 64 ranks, but there are 8; dp is the rest: 8 / 8 = 1");
  EXPECT_EQ(refused.of_rule("layout.world-size").hint, "for example --dp 1 uses all 8 ranks");
}

TEST(Resolve, V17_AGlobalBatchThatFollowsDpIsSaid) {
  const auto with = [](std::int64_t dp) {
    return resolved(dense_model(16, 4), gpu_cluster(2), {.dp = dp, .micro_batch = 4, .micro_batches = 1});
  };
  EXPECT_EQ(with(8).plan->job.global_batch, 32);
  EXPECT_EQ(with(16).plan->job.global_batch, 64);
  EXPECT_TRUE(with(16).assumes("global batch 64 = micro-batch 4 x dp 16 x 1 micro-batch: it changes with dp"));
  // With the global batch fixed the number of micro-batches follows, or the plan is refused.
  const Resolved fixed = resolved(dense_model(16, 4), gpu_cluster(2), {.dp = 16, .micro_batch = 2, .global_batch = 64});
  EXPECT_EQ(micro_batches(fixed.plan->layout, fixed.plan->job.global_batch), 2);
  const Resolved refused =
      resolved(dense_model(16, 4), gpu_cluster(2), {.dp = 16, .micro_batch = 4, .global_batch = 32});
  EXPECT_EQ(refused.of_rule("job.global-batch").message,
            "32 is not micro-batch 4 x dp 16 x a whole number of micro-batches");
  EXPECT_EQ(refused.of_rule("job.global-batch").hint, "with dp 16 the micro-batch may be 1, 2");
}

TEST(Resolve, V21_ShippedScriptsSayHowManyRanksTheyNeed) {
  const Resolved gpt = resolved(dense_model(96, 96), gpu_cluster(1), {.gpus = 8, .tp = 8, .pp = 16});
  EXPECT_EQ(gpt.of_rule("layout.world-size").message,
            "8 ranks are no multiple of tp 8 x pp 16 x cp 1 = 128; a multiple of 128 is needed");
  EXPECT_THAT(gpt.of_rule("layout.world-size").hint, HasSubstr("uses all 8 ranks"));
}

TEST(Resolve, WholeClusterIsUsedWhenNothingIsSaid) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(2), {});
  ASSERT_TRUE(result.plan) << result.problems.to_text();
  EXPECT_EQ(world_size(result.plan->layout), 16);
  EXPECT_TRUE(result.assumes("all 16 devices of the cluster are used"));
  EXPECT_TRUE(result.assumes("sequence length 4096"));
  EXPECT_TRUE(result.assumes("precision bf16: the default on Test GPU"));
  EXPECT_EQ(result.plan->job.global_batch, 16);
}

TEST(Resolve, StatedValuesAreNotAssumed) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1),
                                   {.gpus = 8,
                                    .dp = 4,
                                    .tp = 2,
                                    .pp = 1,
                                    .sequence_parallel = false,
                                    .zero = 0,
                                    .micro_batch = 1,
                                    .global_batch = 8,
                                    .seq_len = 2048,
                                    .recompute = Recompute::none,
                                    .overlap_gradients = true,
                                    .bucket = ByteCount(1 << 20),
                                    .precision = Precision::fp16,
                                    .optimizer = OptimizerKind::sgd,
                                    .attention = AttentionKernel::flash,
                                    .framework = "deepspeed"});
  ASSERT_TRUE(result.plan) << result.problems.to_text();
  EXPECT_THAT(result.plan->assumptions, testing::IsEmpty());
}

TEST(Resolve, TheOneDegreeLeftOutIsDerived) {
  EXPECT_EQ(resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .dp = 2, .pp = 2}).plan->layout.tp, 2);
  EXPECT_EQ(resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .dp = 2, .tp = 2}).plan->layout.pp, 2);
  EXPECT_TRUE(resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .dp = 2}).has_rule("layout.world-size"));
}

TEST(Resolve, RanksAreTheProductWhenOnlyDegreesAreStated) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(2), {.dp = 2, .tp = 2});
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(world_size(result.plan->layout), 4);
  EXPECT_TRUE(result.assumes("4 of the cluster's 16 devices are used"));
}

TEST(Resolve, NodesAreAddedToAUniformClusterAndSaid) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(2), {.gpus = 64});
  ASSERT_TRUE(result.plan) << result.problems.to_text();
  EXPECT_EQ(node_count(result.plan->cluster), 8);
  EXPECT_TRUE(result.assumes("cluster resized from 2 to 8 nodes of 8 devices to hold 64 ranks"));
}

TEST(Resolve, NoNodesAreAddedWithoutANetwork) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1, 8, false), {.gpus = 16});
  EXPECT_EQ(result.of_rule("cluster.holds-ranks").message,
            "16 ranks (dp x tp x pp x cp) are more than the 8 devices of the cluster, which states no network to add "
            "nodes to");
}

TEST(Resolve, CpuRanksMayTakeTurnsUpToFourPerCore) {
  const Resolved eight = resolved(dense_model(16, 4), cpu_cluster(2), {.gpus = 8});
  ASSERT_TRUE(eight.plan) << eight.problems.to_text();
  EXPECT_TRUE(eight.assumes("8 ranks on 2 cores: up to 4 ranks take turns on a core"));
  EXPECT_EQ(eight.plan->job.precision, Precision::fp32);
  const Resolved nine = resolved(dense_model(16, 4), cpu_cluster(2), {.gpus = 9});
  EXPECT_EQ(nine.of_rule("cluster.holds-ranks").message,
            "9 ranks (dp x tp x pp x cp) are more than the 8 that the cluster holds at 4 ranks a core");
}

TEST(Resolve, PipelinesGetMicroBatches) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .pp = 2});
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->job.global_batch, 4 * 8);
  EXPECT_TRUE(result.assumes("pipeline schedule: 1F1B"));
}

TEST(Resolve, MicroBatchFollowsFromGlobalBatchAndMicroBatches) {
  const Resolved result =
      resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .micro_batches = 4, .global_batch = 64});
  EXPECT_EQ(result.plan->layout.micro_batch, 2);
  EXPECT_TRUE(resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .micro_batches = 4, .global_batch = 50})
                  .has_rule("job.global-batch"));
}

TEST(Resolve, NumbersBelowTheirLeastAreAllNamed) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 0, .tp = -1, .zero = 4});
  ASSERT_EQ(result.problems.list().size(), 3U);
  EXPECT_EQ(to_text(result.problems.list()[2]),
            "command line: --zero: 4 is out of range; allowed: 0 to 3 [layout.range]");
}

TEST(Resolve, FieldsAreNamedByTheirOptions) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .zero = 1, .zero_group = 3});
  EXPECT_EQ(result.of_rule("layout.zero-group-divides-dp").path, "--hsdp");
}

TEST(Resolve, UnknownSequenceLengthIsAsked) {
  Model model = dense_model(16, 4);
  model.max_positions = 0;
  EXPECT_TRUE(resolved(model, gpu_cluster(1), {.gpus = 1}).has_rule("job.seq-len"));
  EXPECT_TRUE(resolved(model, gpu_cluster(1), {.gpus = 1, .seq_len = 100}).plan);
}

TEST(Revise, ChangedTpKeepsRanksAndGlobalBatch) {
  const Plan plan = *resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8, .global_batch = 16}).plan;
  Diagnostics problems;
  const auto revised = revise_plan(plan, {.tp = 2}, "command line", problems);
  ASSERT_TRUE(revised) << problems.to_text();
  EXPECT_EQ(revised->layout.dp, 4);
  EXPECT_EQ(revised->job.global_batch, 16);
  EXPECT_EQ(revised->assumptions.front(), "what is not stated on the command line is as in the plan");
}

TEST(Revise, NoChoicesKeepThePlanWhole) {
  const Plan plan = *resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 8}).plan;
  Diagnostics problems;
  const auto revised = revise_plan(plan, {}, "command line", problems);
  ASSERT_TRUE(revised);
  EXPECT_EQ(revised->assumptions, plan.assumptions);
  EXPECT_EQ(revised->layout, plan.layout);
}

}  // namespace
}  // namespace trainwright::model
