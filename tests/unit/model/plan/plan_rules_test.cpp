// Cases are named after the public threads they come from.
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/plan_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/operator_graph.hpp"
#include "tests/unit/model/plan/plan_builders.hpp"

namespace trainwright::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::dense_model;
using testing_support::gpu_cluster;
using testing_support::moe_model;
using testing_support::Resolved;
using testing_support::resolved;

Job job(std::int64_t global_batch, std::int64_t seq_len) {
  Job result;
  result.global_batch = global_batch;
  result.seq_len = seq_len;
  return result;
}

/// Rules of the layout alone, whatever this version can build.
std::vector<Violation> layout_rules(const Model& model, const Layout& layout, const Job& with = job(1, 4096)) {
  const Cluster cluster = gpu_cluster(16);
  return check_layout_rules({model, cluster, with, layout});
}

std::string only_message(const std::vector<Violation>& violations) {
  return violations.size() == 1 ? violations[0].message : std::to_string(violations.size()) + " violations";
}

TEST(PlanRules, V01_HeadsNotDivisibleByTpListTheValidDegrees) {
  EXPECT_EQ(only_message(layout_rules(dense_model(52, 4), {.dp = 1, .tp = 8})),
            "8 does not divide the 52 attention heads of test-model; allowed: 1, 2, 4, 13, 26, 52");
  EXPECT_THAT(layout_rules(dense_model(40, 4), {.dp = 1, .tp = 6})[0].message,
              HasSubstr("allowed: 1, 2, 4, 5, 8, 10, 20, 40"));
  EXPECT_TRUE(layout_rules(dense_model(52, 4), {.dp = 1, .tp = 13}).empty());
}

TEST(PlanRules, V02_TwentyEightHeadsOnEightGpusProposesTp4Dp2) {
  const Resolved result = resolved(dense_model(28, 28), gpu_cluster(1), {.gpus = 8, .tp = 8});
  ASSERT_EQ(result.problems.list().size(), 1U) << result.problems.to_text();
  EXPECT_EQ(to_text(result.problems.list()[0]),
            "command line: --tp: 8 does not divide the 28 attention heads of test-model; allowed: 1, 2, 4, 7, 14, 28; "
            "for example --tp 4 --dp 2 uses all 8 ranks [layout.tp-divides-heads]");
}

TEST(PlanRules, V03_FewerKeyValueHeadsThanTpDependsOnTheFramework) {
  const Model model = dense_model(16, 4, 2);
  const Resolved torchtitan = resolved(model, gpu_cluster(1), {.gpus = 4, .tp = 4, .framework = "torchtitan"});
  EXPECT_THAT(torchtitan.of_rule("layout.tp-fits-kv-heads").message,
              HasSubstr("which torchtitan requires; allowed: 1, 2"));
  const Resolved megatron = resolved(model, gpu_cluster(1), {.gpus = 4, .tp = 4, .framework = "megatron-core"});
  ASSERT_TRUE(megatron.plan) << megatron.problems.to_text();
  EXPECT_TRUE(megatron.assumes("each of the 2 key/value heads is held by 2 tensor-parallel ranks"));
  EXPECT_EQ(
      only_message(layout_rules(dense_model(12, 4, 4), {.dp = 1, .tp = 6})),
      "6 does not divide the 4 key/value heads of test-model and is no multiple of them, which megatron-core requires "
      "to replicate them; allowed: 1, 2, 4 and multiples of 4");
}

TEST(PlanRules, RecomputedLayersNeedFullRecomputationAndThatManyLayers) {
  const Model model = dense_model(16, 8);
  EXPECT_EQ(only_message(layout_rules(model, {.recompute_layers = 2})),
            "2 layers are named, but recomputation is not full");
  EXPECT_EQ(only_message(layout_rules(model, {.recompute = Recompute::full, .recompute_layers = 9})),
            "9 is more than the 8 layers of test-model; allowed: 0 (all) to 8");
  EXPECT_THAT(layout_rules(model, {.recompute = Recompute::full, .recompute_layers = 8}), IsEmpty());
}

TEST(PlanRules, PiecesOfTensorCommunicationNeedSequenceParallelism) {
  const Model model = dense_model(16, 8);
  EXPECT_THAT(only_message(layout_rules(model, {.tp = 4, .tensor_chunks = 4})), HasSubstr("need sequence parallelism"));
  EXPECT_THAT(layout_rules(model, {.tp = 4, .sequence_parallel = true, .tensor_chunks = 4}), IsEmpty());
}

TEST(PlanRules, V05_ThreeViolationsGiveThreeEntriesWithRuleValueAllowedAndNeighbour) {
  const Resolved result = resolved(dense_model(28, 30), gpu_cluster(4),
                                   {.gpus = 32, .tp = 8, .pp = 4, .seq_len = 4096, .precision = Precision::fp8});
  EXPECT_FALSE(result.plan);
  ASSERT_EQ(result.problems.list().size(), 3U) << result.problems.to_text();
  for (const std::string rule : {"layout.tp-divides-heads", "layout.layers-divide", "job.precision"}) {
    const Diagnostic problem = result.of_rule(rule);
    EXPECT_THAT(problem.path, testing::StartsWith("--")) << rule;
    EXPECT_THAT(problem.message, HasSubstr("allowed: ")) << rule;
  }
  EXPECT_THAT(result.of_rule("layout.layers-divide").hint, HasSubstr("for example --tp "));
  EXPECT_THAT(result.of_rule("layout.tp-divides-heads").hint, HasSubstr("uses all 32 ranks"));
}

TEST(PlanRules, V06_EightyLayersNeverBecomeSixtyFour) {
  const Layout layout{.dp = 1, .tp = 1, .pp = 16, .vpp = 2, .schedule = PipelineSchedule::interleaved};
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 80), layout, job(16, 4096))),
            "80 layers do not divide into 16 stages x 2 chunks: would build 64 of 80; allowed with 16 stages: 1, 5");
  const Resolved result = resolved(dense_model(16, 80), gpu_cluster(2), {.gpus = 16, .pp = 16, .layers_per_chunk = 2});
  EXPECT_EQ(result.of_rule("layout.layers-divide").message,
            "80 layers do not divide into 16 stages of chunks of 2: would build 64 of 80; allowed: 1, 5");
  for (const int size : {1, 5})
    EXPECT_FALSE(resolved(dense_model(16, 80), gpu_cluster(2), {.gpus = 16, .pp = 16, .layers_per_chunk = size})
                     .has_rule("layout.layers-divide"))
        << size;
}

TEST(PlanRules, V08_FortyLayersNeverBecomeThirtyTwo) {
  const Resolved result = resolved(dense_model(16, 40), gpu_cluster(1), {.gpus = 8, .pp = 8, .layers_per_chunk = 2});
  EXPECT_THAT(result.of_rule("layout.layers-divide").message, HasSubstr("would build 32 of 40"));
}

TEST(PlanRules, V09_SixtyLayersOnEightStagesProposesASplitWithLightEnds) {
  EXPECT_EQ(
      only_message(layout_rules(dense_model(16, 60), {.dp = 1, .pp = 8}, job(8, 4096))),
      "60 layers do not divide into 8 stages: would build 56 of 60; allowed: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60; "
      "or an uneven split: stage_layers 4, 8, 8, 8, 8, 8, 8, 8");
}

TEST(PlanRules, AStatedSplitFitsTheStagesAndLeavesNoneBetweenTheEndsEmpty) {
  const auto messages = [](std::vector<int> split) {
    Layout layout{.dp = 1, .pp = 4};
    layout.stage_layers = std::move(split);
    std::vector<std::string> all;
    for (const Violation& violation : layout_rules(dense_model(16, 32), layout, job(8, 4096)))
      all.push_back(violation.message);
    return all;
  };
  EXPECT_THAT(messages({7, 9, 9, 7}), IsEmpty());
  EXPECT_THAT(messages({0, 16, 16, 0}), IsEmpty());
  EXPECT_THAT(messages({32, 0, 0, 0}), ElementsAre(HasSubstr("leaves virtual stage 1 without layers")));
  EXPECT_THAT(messages({8, 8, 8}), ElementsAre(HasSubstr("names 3 virtual stages"), HasSubstr("sums to 24")));
}

TEST(PlanRules, V12_ExpertTensorParallelismCountsInTheWorld) {
  EXPECT_TRUE(layout_rules(moe_model(8), {.dp = 2, .pp = 2, .ep = 2, .etp = 1}).empty());
  EXPECT_EQ(only_message(layout_rules(moe_model(8), {.dp = 2, .pp = 2, .ep = 2, .etp = 2})),
            "ep 2 x etp 2 = 4 does not divide the 2 ranks of a stage (dp x cp x tp); the world must be a multiple of "
            "etp x ep "
            "x pp = 8; allowed ep x etp: 1, 2");
}

TEST(PlanRules, V13_ExpertParallelismDividesRanksAndExperts) {
  EXPECT_THAT(only_message(layout_rules(moe_model(8), {.dp = 4, .ep = 8})), HasSubstr("does not divide the 4 ranks"));
  EXPECT_THAT(only_message(layout_rules(moe_model(6), {.dp = 4, .ep = 4})),
              HasSubstr("4 does not divide the 6 experts of test-model; allowed: 1, 2, 3, 6"));
  EXPECT_TRUE(layout_rules(moe_model(6), {.dp = 4, .ep = 2}).empty());
}

TEST(PlanRules, ExpertParallelismNeedsExperts) {
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 4), {.dp = 4, .ep = 2})),
            "test-model has no experts; allowed: 1");
}

TEST(PlanRules, V19_ContextParallelismNamesTheNextValidLength) {
  const auto rejected = layout_rules(dense_model(16, 4), {.dp = 1, .cp = 4}, job(1, 4100));
  ASSERT_EQ(rejected.size(), 1U);
  EXPECT_EQ(rejected[0].message, "the sequence of 4100 tokens is no multiple of 2 x cp = 8");
  EXPECT_EQ(rejected[0].hint, "the next valid length is 4104");
  EXPECT_TRUE(layout_rules(dense_model(16, 4), {.dp = 1, .cp = 8}, job(1, 8192)).empty());
}

TEST(PlanRules, SequenceParallelismNeedsTensorParallelismAndADivisibleSequence) {
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 4), {.dp = 1, .sequence_parallel = true})),
            "sequence parallelism splits over the tensor-parallel group, tp is 1");
  const auto odd = layout_rules(dense_model(16, 4), {.dp = 1, .tp = 4, .sequence_parallel = true}, job(1, 4098));
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd[0].hint, "the next valid length is 4100");
}

TEST(PlanRules, V20_VocabularyIsPaddedToAMultipleOf128TimesTp) {
  EXPECT_EQ(padded_vocab(50257, 1), 50304);
  EXPECT_EQ(padded_vocab(50257, 8), 51200);
  EXPECT_EQ(padded_vocab(65535, 2), 65536);
  EXPECT_EQ(padded_vocab(51200, 8), 51200);
}

TEST(PlanRules, InterleavedNeedsAMultipleOfStagesInMicroBatches) {
  Layout layout{.dp = 1, .pp = 4, .vpp = 2, .schedule = PipelineSchedule::interleaved};
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 8), layout, job(6, 4096))),
            "interleaved needs a multiple of 4 micro-batches, there are 6 (global batch 6 / (micro-batch 1 x dp 1))");
  EXPECT_TRUE(layout_rules(dense_model(16, 8), layout, job(8, 4096)).empty());
  layout.schedule = PipelineSchedule::one_f_one_b;
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 8), layout, job(8, 4096))),
            "only the interleaved schedule runs 2 chunks a stage; allowed: interleaved");
}

TEST(PlanRules, ChunksNeedAPipeline) {
  const Layout layout{.dp = 1, .vpp = 2, .schedule = PipelineSchedule::interleaved};
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 8), layout, job(8, 4096))),
            "2 chunks a stage need more than 1 stage; allowed: 1");
}

TEST(PlanRules, HighShardingStagesWithAPipelineAreAWarning) {
  const auto found = layout_rules(dense_model(16, 8), {.dp = 2, .pp = 2, .zero = 2});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "layout.zero-with-pipeline");
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_TRUE(layout_rules(dense_model(16, 8), {.dp = 2, .pp = 2, .zero = 1}).empty());
}

TEST(PlanRules, ShardGroupsDivideTheReplicas) {
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 8), {.dp = 8, .zero = 1, .zero_group = 3})),
            "3 does not divide the 8 data-parallel ranks (dp x cp); allowed: 1, 2, 4, 8");
  EXPECT_EQ(only_message(layout_rules(dense_model(16, 8), {.dp = 8, .zero_group = 4})),
            "a shard group of 4 needs sharding, zero is 0");
}

TEST(PlanRules, FeedForwardAndExpertWidthsDivide) {
  Model model = dense_model(12, 4);
  model.layers[0].layer.mlp->ffn = 1000;
  EXPECT_THAT(only_message(layout_rules(model, {.dp = 1, .tp = 3})),
              HasSubstr("3 does not divide the feed-forward width 1000"));
  model = moe_model(8);
  model.layers[0].layer.moe->expert_ffn = 1001;
  EXPECT_THAT(only_message(layout_rules(model, {.dp = 4, .etp = 2})),
              HasSubstr("2 does not divide the expert width 1001"));
}

TEST(PlanRules, LearnedPositionsBoundTheSequenceOthersOnlyWarn) {
  Model model = dense_model(16, 4);
  model.max_positions = 1024;
  model.position = PositionKind::learned;
  const Resolved learned = resolved(model, gpu_cluster(1), {.gpus = 1, .seq_len = 2048});
  EXPECT_EQ(learned.of_rule("job.seq-len").message,
            "2048 tokens are more than the 1024 learned positions of the model; allowed: 1 to 1024");
  EXPECT_FALSE(learned.plan);
  model.position = PositionKind::rotary;
  const Resolved rotary = resolved(model, gpu_cluster(1), {.gpus = 1, .seq_len = 2048});
  EXPECT_TRUE(rotary.plan);
  EXPECT_EQ(rotary.of_rule("job.seq-len").severity, Severity::warning);
}

TEST(PlanRules, UnsupportedPrecisionNamesWhatTheCardHas) {
  const Resolved result = resolved(dense_model(16, 4), gpu_cluster(1), {.gpus = 1, .precision = Precision::fp8});
  EXPECT_EQ(result.of_rule("job.precision").message,
            "fp8 is not a matrix format of Test GPU; allowed: fp32, tf32, fp16, bf16");
}

TEST(PlanRules, FilesAreNamedByJsonPointer) {
  Plan plan;
  plan.model = dense_model(28, 4);
  plan.cluster = gpu_cluster(1);
  plan.layout.tp = 8;
  plan.job.global_batch = 3;
  plan.layout.micro_batch = 2;
  const Diagnostics problems = check_plan(plan, "plan.json");
  ASSERT_EQ(problems.list().size(), 2U) << problems.to_text();
  EXPECT_EQ(problems.list()[0].path, "/layout/tp");
  EXPECT_EQ(problems.list()[1].path, "/job/global_batch");
  EXPECT_EQ(problems.list()[0].source, "plan.json");
}

TEST(PlanRules, NumbersOutOfRangeAreRefusedBeforeTheyAreMultiplied) {
  Plan plan;
  plan.model = dense_model(16, 4);
  plan.cluster = gpu_cluster(1);
  plan.layout.tp = 0;
  plan.layout.dp = 1 << 20;
  plan.layout.pp = 1 << 20;
  EXPECT_EQ(check_plan(plan, "p").list().size(), 1U);
  plan.layout.tp = 1;
  EXPECT_EQ(check_plan(plan, "p").list()[0].message, "dp x tp x pp x cp is more than 1048576 ranks");
}

}  // namespace
}  // namespace trainwright::model
