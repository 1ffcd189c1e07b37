// SPDX-License-Identifier: Apache-2.0
#include "model/validation/row_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/validation/names.hpp"
#include "model/validation/row_model.hpp"
#include "model/validation/step_validation.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::validation {
namespace {

using testing::Contains;
using testing::HasSubstr;

// Table 1 of arXiv 2104.04473, first row (1.7 B, 32 A100).
StepRow sc21_1_7b() {
  StepRow row;
  row.id = {"r", "S", "", ""};
  row.framework = "megatron-lm";
  row.attention = "unfused";
  row.year = 2021;
  row.model = "GPT 1.7B";
  row.params_b = 1.7;
  row.layers = 24;
  row.hidden = 2304;
  row.heads = row.kv_heads = 24;
  row.ffn = 9216;
  row.vocab = 51200;
  row.seq_len = 2048;
  row.precision = "fp16";
  row.cluster = "selene-dgx-a100";
  row.accelerator = "a100-sxm-80gb";
  row.gpus = 32;
  row.gpus_per_node = 8;
  row.inter_node_gbps = 1600.0;
  row.tp = row.pp = 1;
  row.dp = 32;
  row.dp_sharding = "none";
  row.micro_batch = 16;
  row.global_batch = 512;
  row.recompute = "none";
  row.iteration_time_s = 3.528;
  return row;
}

TEST(RowModels, CountTheStatedParameters) {
  const RowModel model = model_of(sc21_1_7b());
  ASSERT_TRUE(model.model) << model.problem;
  EXPECT_NEAR(static_cast<double>(parameter_count(*model.model).total), 1.65e9, 0.02e9);
  EXPECT_TRUE(model.assumptions.empty());
}

TEST(RowModels, TellGatedFromPlainMlpsByTheStatedSize) {
  StepRow row = sc21_1_7b();
  row.model = "Unheard-of 1.2B";
  row.params_b = 2.2;  // three matrices of 2304 x 9216 instead of two: + 0.51 B
  const RowModel model = model_of(row);
  ASSERT_TRUE(model.model);
  EXPECT_TRUE(model.model->layers.front().layer.mlp->gated);
}

TEST(RowModels, SayWhatTheRowLeavesOpen) {
  StepRow row = sc21_1_7b();
  row.heads = row.kv_heads = row.ffn = row.vocab = std::nullopt;
  const RowModel model = model_of(row);
  ASSERT_TRUE(model.model);
  EXPECT_EQ(model.model->layers.front().layer.attention.heads, 18);
  EXPECT_EQ(model.assumptions, (std::vector<std::string>{"heads: 18, of about size 128",
                                                         "feed-forward width: 4 x hidden", "vocabulary: 50257"}));
}

TEST(RowModels, NeedAProfileForMixturesOfExperts) {
  StepRow row = sc21_1_7b();
  row.model = "GPT-MoE 16L";
  EXPECT_EQ(model_of(row).problem, "no model profile for \"GPT-MoE 16L\", and the row does not state its experts");
}

TEST(RowPlans, TakeLayoutAndClusterFromTheRow) {
  RowPlanner planner;
  const RowPlan result = planner.to_plan(sc21_1_7b());
  ASSERT_TRUE(result.plan) << result.problem;
  const Plan& plan = *result.plan;
  EXPECT_EQ(plan.layout.dp, 32);
  EXPECT_EQ(plan.layout.micro_batch, 16);
  EXPECT_EQ(plan.job.global_batch, 512);
  EXPECT_EQ(plan.job.attention, AttentionKernel::unfused);
  EXPECT_EQ(node_count(plan.cluster), 4);
  const NodeNetwork& network = *plan.cluster.groups.front().network;
  EXPECT_EQ(network.rate.count() * network.adapters, 200e9);
}

TEST(RowPlans, RowsOverrideNodesAndNetwork) {
  StepRow row = sc21_1_7b();
  row.gpus_per_node = 4;
  row.inter_node_gbps = 80.0;
  row.inter_node_latency_us = 500.0;
  RowPlanner planner;
  const RowPlan result = planner.to_plan(row);
  ASSERT_TRUE(result.plan) << result.problem;
  const NodeGroup& group = result.plan->cluster.groups.front();
  EXPECT_EQ(group.devices_per_node, 4);
  EXPECT_EQ(group.nodes, 8);
  EXPECT_NEAR(group.network->rate.count() * group.network->adapters, 10e9, 1.0);
  EXPECT_EQ(group.network->latency.count(), 500e-6);
}

TEST(RowPlans, ARowThatCannotBePredictedHasAReason) {
  RowPlanner planner;
  StepRow row = sc21_1_7b();
  row.dp = 31;
  EXPECT_THAT(planner.to_plan(row).problem, HasSubstr("= 31 ranks, but there are 32"));
  row = sc21_1_7b();
  row.dp_sharding = "zero9";
  row.recompute = "some";
  EXPECT_EQ(planner.to_plan(row).problem, "recompute \"some\" is not known; dp_sharding \"zero9\" is not known");
  row = sc21_1_7b();
  row.cluster = "unknown";
  row.accelerator = "abacus";
  EXPECT_EQ(planner.to_plan(row).problem, "no profile for cluster \"unknown\" nor for accelerator \"abacus\"");
}

TEST(RowPlans, UnstatedRecomputationIsTheCheapestThatFits) {
  StepRow row = sc21_1_7b();
  row.recompute.clear();
  row.micro_batch = 1;
  row.global_batch = 32;
  RowPlanner planner;
  const RowPlan small = planner.to_plan(row);
  ASSERT_TRUE(small.plan) << small.problem;
  EXPECT_EQ(small.plan->layout.recompute, Recompute::none);
  EXPECT_THAT(small.plan->assumptions, Contains("recomputation: the least that fits, none"));
}

TEST(RowChoices, ReadShardingWords) {
  RowPlanner planner;
  const Cluster cluster = *cluster_of(sc21_1_7b()).cluster;
  const auto choices = [&](const std::string& word) {
    StepRow row = sc21_1_7b();
    row.dp_sharding = word;
    return choices_of(row, cluster).choices;
  };
  EXPECT_EQ(choices("zero1").zero, 1);
  EXPECT_EQ(choices("zero1").zero_group, std::nullopt);
  EXPECT_EQ(choices("zero3:64").zero, 3);
  EXPECT_EQ(choices("zero3:64").zero_group, 64);
  EXPECT_EQ(choices("hsdp").zero_group, 8);
  EXPECT_EQ(choices("none").zero, 0);
}

TEST(RowNames, FindDevicesAndModelsHoweverWritten) {
  EXPECT_EQ(accelerator_named("H100-80GB SXM")->id, "h100-sxm");
  EXPECT_EQ(accelerator_named("b200-sxm")->id, "b200");
  EXPECT_EQ(accelerator_named("v100-sxm-16gb")->id, "v100-sxm2-16gb");
  EXPECT_FALSE(accelerator_named("abacus"));
  EXPECT_EQ(plain_name("DeepSeekV3 (w/o MTP)"), "deepseekv3");
  EXPECT_EQ(model_profile_named("Mixtral 8x7B"), "mixtral-8x7b");
}

TEST(StepValidation, CountsMemoryTheWayTheSourceDid) {
  MemoryEstimate memory;
  StageMemory first;
  first.peak = ByteCount(100);
  first.terms[static_cast<std::size_t>(MemoryTerm::context)] = ByteCount(10);
  StageMemory last;
  last.peak = ByteCount(70);
  last.terms[static_cast<std::size_t>(MemoryTerm::fragmentation)] = ByteCount(5);
  memory.stages = {first, last};
  StepRow row = sc21_1_7b();
  EXPECT_EQ(predicted_memory(row, memory), 100.0);
  row.id.notes = "allocator peak of the LAST rank";
  EXPECT_EQ(predicted_memory(row, memory), 65.0);
}

}  // namespace
}  // namespace trainwright::model::validation
