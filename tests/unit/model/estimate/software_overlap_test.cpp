// What software overlaps, and what it chooses where the user says nothing.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/cost/program_durations.hpp"
#include "model/estimate/least_recompute.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/estimate/step_time.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/sharding.hpp"
#include "model/workload/software_stack.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::StartsWith;

double step_s(const Plan& plan) {
  return step_time(plan, stage_models(plan)).step.count();
}

TEST(SoftwareGenerations, FollowYearAndFramework) {
  EXPECT_EQ(software_generation("megatron-lm", 2021), SoftwareGeneration::until_2022);
  EXPECT_EQ(software_generation("fsdp", 2023), SoftwareGeneration::of_2023);
  EXPECT_EQ(software_generation("megatron-te", 2023), SoftwareGeneration::current);
  EXPECT_EQ(software_generation("deepspeed", 2024), SoftwareGeneration::current);
  EXPECT_EQ(software_generation("megatron-core", 0), SoftwareGeneration::current);
}

TEST(DataOverlap, IsThatOfTheSoftware) {
  EXPECT_FALSE(default_data_overlap("megatron-lm", 2021).gradients);
  EXPECT_TRUE(default_data_overlap("pytorch-ddp", 2021).gradients);
  EXPECT_FALSE(default_data_overlap("internevo", 2023).parameters);
  EXPECT_TRUE(default_data_overlap("fsdp", 2023).parameters);
  EXPECT_TRUE(default_data_overlap("megatron-core", 0).gradients);
}

TEST(MessageOverlap, MegatronWaitsButForInterleavedSchedulesOfToday) {
  EXPECT_FALSE(default_message_overlap("megatron-core", 0, false));
  EXPECT_TRUE(default_message_overlap("megatron-core", 0, true));
  EXPECT_FALSE(default_message_overlap("megatron-lm", 2021, true));
  EXPECT_TRUE(default_message_overlap("pytorch-gpipe", 2022, false));
}

// Two stages, all passes forward, then all backward, of one second each: the first stage sends m times on the way
// there, the second on the way back. Waiting for a message of a tenth of a second costs a tenth each time.
TEST(MessageOverlap, WaitingCostsTwoMessagesAMicroBatch) {
  constexpr std::int64_t kMicroBatches = 20;
  constexpr double kMessage = 0.1;
  Layout layout;
  layout.pp = 2;
  layout.schedule = PipelineSchedule::gpipe;
  const auto end_of = [&](bool overlaps) {
    layout.overlap_messages = overlaps;
    EqualPasses passes({{Seconds(1.0), Seconds(1.0), Seconds(0.0)}, {Seconds(1.0), Seconds(1.0), Seconds(0.0)}});
    const std::vector<Seconds> ends = pipeline_ends(layout, kMicroBatches, Seconds(kMessage), passes);
    return std::max(ends[0], ends[1]).count();
  };
  const double extra = end_of(false) - end_of(true);
  EXPECT_NEAR(extra, 2.0 * kMessage * kMicroBatches, 3.0 * kMessage);
}

TEST(MessageSlices, AreSentByMegatronLmUntil2022) {
  Layout layout;
  layout.tp = 2;
  layout.pp = 2;
  Plan plan = test::small_plan(layout, 4);
  const std::int64_t whole = boundary_bytes(plan).count();
  plan.job.framework = "megatron-lm";
  plan.job.year = 2021;
  EXPECT_EQ(boundary_bytes(plan).count(), whole / 2);
  plan.job.year = 0;
  EXPECT_EQ(boundary_bytes(plan).count(), whole);
}

TEST(ParameterGathers, AreByTensorInDeepSpeedUntil2022AndThriceWhereItRecomputes) {
  Layout layout;
  layout.dp = 4;
  layout.zero = 3;
  layout.recompute = Recompute::full;
  Plan plan = test::small_plan(layout, 1);
  const PartParameters part{1200, 0};
  EXPECT_EQ(parameter_gather(plan, part).size(), 1U);
  plan.job.framework = "deepspeed";
  plan.job.year = 2021;
  const std::vector<CollectiveWork> once = parameter_gather(plan, part);
  ASSERT_EQ(once.size(), 12U);
  std::int64_t bytes = 0;
  for (const CollectiveWork& work : once)
    bytes += work.bytes.count();
  EXPECT_EQ(bytes, 1200 * 2);
  EXPECT_EQ(parameter_gather(plan, part, Pass::backward).size(), 24U);
}

TEST(TensorPieces, CarryTheSameBytesAndHideAmongProducts) {
  Layout layout;
  layout.tp = 4;
  layout.sequence_parallel = true;
  Plan plan = test::small_plan(layout, 2);
  plan.model = test::small_llama(2, 4096, 32);
  plan.job.seq_len = 2048;
  const auto bytes_of = [&] {
    const LoweredPlan lowered(plan);
    std::int64_t bytes = 0;
    for (const LoweredPlan::Part& part : lowered.parts())
      for (const TaskChain* chain : {&part.forward, &part.backward})
        for (const Task& task : chain->tasks)
          if (const auto* work = std::get_if<CollectiveWork>(&task.work))
            bytes += work->bytes.count();
    return bytes;
  };
  const std::int64_t whole = bytes_of();
  const double plain =
      step_time(plan, stage_models(plan)).breakdown[static_cast<std::size_t>(StepPart::exposed_tensor)];
  plan.layout.tensor_chunks = 4;
  EXPECT_EQ(bytes_of(), whole);
  const double hidden =
      step_time(plan, stage_models(plan)).breakdown[static_cast<std::size_t>(StepPart::exposed_tensor)];
  EXPECT_LT(hidden, 0.8 * plain);
}

TEST(Host, LaunchesGoOnWhileACollectiveRuns) {
  constexpr double kHost = 1e-3;
  CostConstants constants = test::plain_constants();
  constants.host.layer_forward_s = kHost;
  Layout layout;
  layout.tp = 2;
  const Plan plan = test::small_plan(layout, 1);
  const OperatorGraph graph(plan.model);
  const std::vector<Task> tasks = lower(graph, graph.of_layer(0), plan, Recompute::none).forward.tasks;
  std::vector<Seconds> collectives(tasks.size(), Seconds(0.0));
  double communicates = 0.0;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (std::holds_alternative<CollectiveWork>(tasks[i].work)) {
      collectives[i] = Seconds(0.2e-3);
      communicates += 0.2e-3;
    }
  ASSERT_GT(communicates, 0.0);
  double all = communicates;
  for (const Seconds compute :
       compute_durations(tasks, collectives, plan.cluster.groups.front().accelerator, plan.layout.tp, constants))
    all += compute.count();
  // The device's own work is tiny: the pass takes the host's time, the collectives within it.
  EXPECT_NEAR(all, kHost, 0.02 * kHost);
}

TEST(Host, EachProductOfAnExpertIsLaunched) {
  Plan plan = test::small_plan({}, 1);
  plan.model = test::small_moe();
  plan.constants.host.expert_product_s = 0.0;
  const double without = step_s(plan);
  plan.constants.host.expert_product_s = 1e-3;
  // Eight experts, two products forward (gate and up are one), four backward; in each of four layers.
  EXPECT_NEAR(step_s(plan) - without, 4 * 8 * 6 * 1e-3, 0.05 * 4 * 8 * 6 * 1e-3);
}

TEST(LeastRecompute, TakesNoMoreLayersThanMemoryAsksFor) {
  Plan plan = test::small_plan({}, 1);
  plan.model = test::small_llama(8, 1024, 8);
  plan.job.seq_len = 4096;
  plan.layout.micro_batch = plan.job.global_batch = 8;
  const auto peak_with = [&](Recompute recompute, int layers) {
    Plan changed = plan;
    changed.layout.recompute = recompute;
    changed.layout.recompute_layers = layers;
    return estimate_memory(changed, stage_models(changed)).peak;
  };
  ByteCount& memory = plan.cluster.groups.front().accelerator.memory;
  memory = peak_with(Recompute::none, 0);
  EXPECT_EQ(with_least_recompute(plan).layout.recompute, Recompute::none);
  memory = peak_with(Recompute::full, 3);
  const Plan some = with_least_recompute(plan);
  EXPECT_EQ(some.layout.recompute, Recompute::full);
  EXPECT_EQ(some.layout.recompute_layers, 3);
  EXPECT_THAT(some.assumptions, Contains(StartsWith("recomputation: the least that fits, full for 3 of 8 layers")));
  memory = ByteCount(1);
  EXPECT_EQ(with_least_recompute(plan).layout.recompute_layers, 0);
}

TEST(LeastRecompute, OfSomeLayersLiesBetweenNoneAndAll) {
  Layout layout;
  layout.pp = 2;
  Plan plan = test::small_plan(layout, 4);
  const double none = step_s(plan);
  plan.layout.recompute = Recompute::full;
  const double all = step_s(plan);
  plan.layout.recompute_layers = 1;  // of two layers a stage
  const double half = step_s(plan);
  EXPECT_NEAR(half - none, 0.5 * (all - none), 0.2 * (all - none));
  const LayerRange range{2, 4};
  EXPECT_EQ(layer_recompute(plan.layout, range, 2), Recompute::full);
  EXPECT_EQ(layer_recompute(plan.layout, range, 3), Recompute::none);
}

// BERT: padding that kernels skip, and a head that sees the masked tokens.
TEST(Tokens, ThatArePaddingOrNotMaskedCostNothing) {
  Plan plan = test::small_plan({}, 1);
  plan.model = test::small_gpt(2, 1024, 16, 30000);
  plan.job.seq_len = 512;
  const auto matrix = [&] {
    double flops = 0.0;
    for (const StageModel& stage : stage_models(plan).distinct)
      flops += stage.matrix_flops.count();
    return flops;
  };
  const double whole = matrix();
  plan.job.loss_share = 0.125;
  const double masked = matrix();
  const double head = 6.0 * 512 * 1024 * 30000;
  EXPECT_NEAR(whole - masked, 0.875 * head, 0.02 * head);  // the vocabulary is padded
  plan.job.loss_share = 1.0;
  plan.job.sequence_fill = 0.5;
  EXPECT_LT(matrix(), 0.5 * whole);
}

}  // namespace
}  // namespace trainwright::model
