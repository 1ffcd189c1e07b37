// Pipelines, experts and scaling: one test for each published case, named after it.
// docs/cases.md lists them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model/base/error.hpp"
#include "model/calibration/calibration.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "model/estimate/job_time.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/scaling_efficiency.hpp"
#include "model/estimate/step_traffic.hpp"
#include "model/plan/batch_shares.hpp"
#include "model/plan/expert_dispatch.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/resolve.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using testing::HasSubstr;

Estimate estimate(const Plan& plan) {
  return *AnalyticEstimator().estimate(plan, {}, {});
}

double part(const Estimate& e, StepPart which) {
  return e.breakdown[static_cast<std::size_t>(which)];
}

std::vector<Violation> advice_rules(const Plan& plan) {
  return check_advice_rules({plan.model, plan.cluster, plan.job, plan.layout});
}

std::optional<Violation> of_rule(const std::vector<Violation>& list, const std::string& rule) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Violation& v) { return v.rule == rule; });
  return found == list.end() ? std::nullopt : std::optional(*found);
}

// Two nodes of eight behind adapters of `gbit` Gbit/s together.
Cluster ethernet(int nodes, double gbit) {
  Cluster cluster = test::switched_cluster(nodes);
  cluster.groups.front().network =
      NodeNetwork{LinkKind::ethernet_tcp, 1, BytesPerSecond(gbit * 1e9 / 8.0), Seconds(30e-6)};
  return cluster;
}

TEST(PipelineCases, P01_TheBubbleFallsWithMicroBatchesAndIsNotBlamedWhereItDoesNotDecide) {
  EXPECT_NEAR(pipeline_bubble(8, 8), 0.467, 0.001);
  EXPECT_NEAR(pipeline_bubble(8, 16), 0.304, 0.001);
  // Small kernels: host and launch decide, whatever the bubble.
  Layout layout;
  layout.pp = 8;
  Plan plan = test::small_plan(layout, 16);
  plan.model = test::small_gpt(8);
  plan.constants.host.layer_forward_s = 2e-3;
  for (GemmConstants& gemm : plan.constants.gemm)
    gemm.fixed_s = 1e-3;
  const Estimate e = estimate(plan);
  ASSERT_FALSE(e.what_ifs.empty());
  EXPECT_EQ(e.what_ifs.front().resource, "host");
}

TEST(PipelineCases, P04_AGradientBufferAppearsOnceWithAccumulation) {
  Layout layout;
  layout.pp = 2;
  layout.dp = 2;
  layout.zero = 1;
  const auto peak = [&](std::int64_t micro_batches) {
    const Plan plan = test::small_plan(layout, micro_batches);
    return estimate_memory(plan, stage_models(plan)).peak;
  };
  EXPECT_LE(peak(1), peak(2));
  EXPECT_EQ(peak(2), peak(8));
}

TEST(ScalingCases, S11_PipelineAndTensorParallelismInsideANodeAreBothPredicted) {
  EXPECT_NEAR(pipeline_bubble(8, 64), 0.099, 0.0005);
  Layout pipeline;
  pipeline.pp = 8;
  Layout tensor;
  tensor.tp = 8;
  Plan plan = test::small_plan(pipeline, 64);
  plan.model = test::small_gpt(32, 4096, 32, 51200);
  plan.job.seq_len = 2048;
  const Estimate p = estimate(plan);
  plan.layout = tensor;
  const Estimate t = estimate(plan);
  // What each pays is said: bubble here, exposed communication there.
  EXPECT_GT(part(p, StepPart::bubble), part(t, StepPart::bubble));
  EXPECT_GT(part(t, StepPart::exposed_tensor), part(p, StepPart::exposed_tensor));
}

TEST(ScalingCases, S12_FewMicroBatchesWarnWithTheNumberThatHelps) {
  EXPECT_DOUBLE_EQ(pipeline_bubble(4, 1), 0.75);
  EXPECT_EQ(micro_batches_for_bubble(4, 0.1), 27);
  Layout layout;
  layout.pp = 4;
  const auto warned = of_rule(advice_rules(test::small_plan(layout, 1)), "layout.bubble");
  ASSERT_TRUE(warned);
  EXPECT_EQ(warned->severity, Severity::warning);
  EXPECT_EQ(warned->message, "1 micro-batches on 4 stages leave them idle for 75 % of the passes");
  EXPECT_EQ(warned->hint, "27 micro-batches bring it to 10 %");
  EXPECT_FALSE(of_rule(advice_rules(test::small_plan(layout, 16)), "layout.bubble"));
}

TEST(ScalingCases, S13_APipelineDoesNotWaitForTheNetwork) {
  Layout layout;
  layout.pp = 2;
  Plan plan = test::small_plan(layout, 16);
  plan.model = test::small_gpt(16, 4096, 32);
  plan.job.seq_len = 2048;
  plan.cluster = test::switched_cluster(2, 1);
  const double base = estimate(plan).step.count();
  for (const double factor : {0.5, 2.0}) {
    Plan changed = plan;
    changed.cluster.groups.front().network->rate *= factor;
    EXPECT_NEAR(estimate(changed).step.count() / base, 1.0, 0.05) << factor;
  }
  EXPECT_THAT(estimate(plan).bottleneck, testing::Not(HasSubstr("network")));
}

TEST(ScalingCases, S06_ShardingInsideTheNodeIsFasterAndLarger) {
  Layout flat;
  flat.dp = 16;
  flat.zero = 3;
  Plan plan = test::small_plan(flat, 1);
  plan.model = test::small_gpt(24, 2048, 16, 51200);
  plan.job.seq_len = 1024;
  plan.cluster = ethernet(2, 25.0);
  const Estimate whole = estimate(plan);
  plan.layout.zero_group = 8;
  const Estimate hierarchical = estimate(plan);
  EXPECT_LT(hierarchical.step, whole.step);
  EXPECT_GT(hierarchical.memory.peak, whole.memory.peak);
}

TEST(ScalingCases, S07_BytesARankSendsInAStep) {
  // 80e9 parameters in 16 bits, many ranks: 480 GB with sharded parameters, 320 GB without.
  Layout layout;
  layout.dp = 4096;
  Plan plan = test::small_plan(layout, 1);
  const auto sent = [&](int zero) {
    plan.layout.zero = zero;
    StageModels stages;
    stages.distinct.emplace_back();
    stages.distinct.front().parameters = {80'000'000'000, 0, 0, 0};
    stages.of_virtual_stage = {0};
    return sent_bytes(data_traffic(plan, stages)) / 1e9;
  };
  EXPECT_NEAR(sent(3), 480.0, 1.0);
  for (const int zero : {0, 1, 2})
    EXPECT_NEAR(sent(zero), 320.0, 1.0) << zero;
}

TEST(ScalingCases, S08_GatheringDoesNotShrinkWithTheMicroBatch) {
  Layout layout;
  layout.dp = 16;
  layout.zero = 3;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_gpt(24, 2048, 16, 51200);
  plan.cluster = ethernet(2, 25.0);
  plan.job.seq_len = 16;
  const StageModels stages = stage_models(plan);
  double gathered = 0.0;
  for (const TrafficItem& item : data_traffic(plan, stages))
    if (item.kind == CollectiveKind::all_gather)
      gathered += item.bytes;
  // Eight ranks of a node share its one adapter: a ring crosses it once.
  const double least = gathered / plan.cluster.groups.front().network->rate.count();
  EXPECT_GT(estimate(plan).step.count(), least);
}

TEST(ScalingCases, S20_StepsFollowFromTheSamplesOfTheGoal) {
  EXPECT_EQ(steps_for_samples(1'000'000, 16 * 8), 7813);
  EXPECT_EQ(steps_for_samples(1'000'000, 16 * 64), 977);
}

TEST(ScalingCases, S21_MeasuredSmallRunsPredictALargerOneWithinTheInterval) {
  // The truth is the model with other constants and noisy steps; runs on 16 and 32 ranks tell, 64 is asked for.
  const auto plan_of = [](int ranks) {
    Layout layout;
    layout.dp = ranks;
    Plan plan = test::small_plan(layout, 1);
    plan.model = test::small_gpt(8, 1024, 16, 50304);
    plan.job.seq_len = 1024;
    return plan;
  };
  int hits = 0;
  for (int seed = 0; seed < 5; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto around_one = [&](double spread) {
      return 1.0 + spread * (2.0 * static_cast<double>(random() >> 11) / 9007199254740992.0 - 1.0);
    };
    CostConstants truth = test::plain_constants();
    truth.host.step_s = 4e-3 * around_one(0.5);
    truth.communication_compute_share = 0.2 * around_one(0.5);
    Measurement measurement;
    measurement.environment.host = "somewhere";
    for (const int ranks : {16, 32})
      for (int repeat = 0; repeat < 2; ++repeat) {
        ExecutedRun run;
        run.plan = plan_of(ranks);
        Plan real = run.plan;
        real.constants = truth;
        const double step = estimate(real).step.count();
        for (int i = 0; i < 5; ++i)
          run.step_s.push_back(step * around_one(0.02));
        measurement.runs.push_back(std::move(run));
      }
    Plan large = plan_of(64);
    large.constants = truth;
    const Seconds measured = estimate(large).step * around_one(0.02);
    const Calibration calibration =
        fit({measurement}, plan_of(64).cluster, test::plain_constants(), AnalyticEstimator());
    large.constants = apply(calibration, test::plain_constants());
    const Estimate predicted = estimate(large);
    hits += predicted.step_low <= measured && measured <= predicted.step_high ? 1 : 0;
    EXPECT_LT(predicted.step_high / predicted.step_low, 2.0);
  }
  EXPECT_GE(hits, 4);
}

TEST(ScalingCases, S27_PowerLimitsBelongToTheRecordAndAreNeverMixed) {
  Environment environment;
  environment.backend = "nccl";
  EXPECT_EQ(missing_conditions(environment), "power limit of the devices");
  environment.power_limit_watts = 400.0;
  EXPECT_EQ(missing_conditions(environment), "");
  Environment capped = environment;
  capped.power_limit_watts = 290.0;
  EXPECT_FALSE(same_conditions(environment, capped));
  EXPECT_TRUE(same_conditions(environment, environment));
  Measurement a;
  a.environment = environment;
  a.gemm = {{GemmWork{1024, 1024, 1024, 1, Precision::bf16}, 1, {5, 0, 1e-3, 1e-3, 1e-3, 0.0, true}}};
  Measurement b = a;
  b.environment = capped;
  EXPECT_NO_THROW((void)fit({a, a}, test::switched_cluster(1), test::plain_constants(), AnalyticEstimator()));
  EXPECT_THROW((void)fit({a, b}, test::switched_cluster(1), test::plain_constants(), AnalyticEstimator()), InputError);
}

TEST(ScalingCases, S22_WallTimeOutsideTheStepIsSaid) {
  JobTime job;
  job.step = Seconds(3.1);
  job.steps = 1000;
  EXPECT_NEAR(job.total().count() / 60.0, 51.7, 0.1);
  const auto text = time_outside_steps(job, Seconds(3.0 * 3600.0));
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, testing::StartsWith("71 % of the wall time is outside the step"));
  job.start = Seconds(600.0);
  job.evaluations = 10;
  job.evaluation = Seconds(300.0);
  job.saves = 5;
  job.save = Seconds(60.0);
  EXPECT_NEAR(job.total().count(), 3100.0 + 600.0 + 3000.0 + 300.0, 1e-9);
  EXPECT_FALSE(time_outside_steps(job, Seconds(3200.0)));
}

TEST(ScalingCases, S24_ALimitOfTokensAStepRefusesTooManyReplicas) {
  Diagnostics problems;
  const Model model = test::small_gpt(4, 64, 4);
  PlanChoices choices;
  choices.dp = 1024;
  choices.micro_batch = 32;
  choices.seq_len = 4096;
  choices.max_batch_tokens = 4'194'304;
  Model long_model = model;
  long_model.max_positions = 4096;
  EXPECT_FALSE(
      resolve_plan(long_model, test::switched_cluster(128), test::plain_constants(), choices, "test", problems));
  const auto& list = problems.list();
  const auto found =
      std::find_if(list.begin(), list.end(), [](const Diagnostic& d) { return d.rule == "job.batch-limit"; });
  ASSERT_NE(found, list.end()) << problems.to_text();
  EXPECT_THAT(found->message, HasSubstr("allowed: at most 1024 sequences"));
  choices.micro_batch = 1;
  Diagnostics none;
  EXPECT_TRUE(resolve_plan(long_model, test::switched_cluster(128), test::plain_constants(), choices, "test", none))
      << none.to_text();
}

TEST(ScalingCases, S26_UnequalSharesMakeTheirOwnBatch) {
  const EffectiveBatch batch = effective_batch({64, 64, 64, 64, 32, 32, 32, 32});
  EXPECT_EQ(batch.samples, 384);
  EXPECT_FALSE(batch.is_even);
  EXPECT_THAT(batch.problem, HasSubstr("weigh each rank by its samples"));
  EXPECT_TRUE(effective_batch({32, 32}).is_even);
}

TEST(ExpertCases, E01_ShardedParametersWithExpertsWarn) {
  Layout layout;
  layout.dp = 8;
  layout.zero = 3;
  Plan plan = test::small_plan(layout, 1);
  EXPECT_FALSE(of_rule(advice_rules(plan), "layout.experts-gathered-whole"));
  plan.model = test::small_moe();
  const auto warned = of_rule(advice_rules(plan), "layout.experts-gathered-whole");
  ASSERT_TRUE(warned);
  EXPECT_THAT(warned->hint, HasSubstr("as one unit"));
  plan.layout.zero = 1;
  EXPECT_FALSE(of_rule(advice_rules(plan), "layout.experts-gathered-whole"));
}

TEST(ExpertCases, E02_ExpertsOverEthernetAreSlowerThanInsideNodes) {
  Layout layout;
  layout.dp = 16;
  layout.ep = 8;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_moe(8, 1024, 16, 16);
  plan.job.seq_len = 2048;
  plan.cluster = ethernet(2, 25.0);
  const Estimate inside = estimate(plan);
  plan.layout.ep = 16;
  const Estimate across = estimate(plan);
  EXPECT_GT(part(across, StepPart::exposed_expert), part(inside, StepPart::exposed_expert));
  EXPECT_GT(across.step, inside.step);
}

TEST(ExpertCases, E03_InsideANodeThePlainExchangeIsPreferred) {
  EXPECT_EQ(preferred_dispatch(8, 8), ExpertDispatch::all_to_all);
  EXPECT_EQ(preferred_dispatch(4, 8), ExpertDispatch::all_to_all);
  EXPECT_EQ(preferred_dispatch(64, 72), ExpertDispatch::all_to_all);
  EXPECT_EQ(preferred_dispatch(64, 8), ExpertDispatch::peer_writes);
}

TEST(ExpertCases, E04_ASparseModelIsSlowerThanItsActiveParametersSay) {
  // A dense layer of the same total width, and a mixture of which a fifth is active.
  Layout layout;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_llama(8, 2048, 16);
  plan.model.layers.front().layer.mlp->ffn = 16384;
  plan.job.seq_len = 512;
  plan.constants = CostConstants{};
  const Estimate dense = estimate(plan);
  Model sparse = test::small_moe(8, 2048, 16, 64);
  MoeShape& moe = *sparse.layers.front().layer.moe;
  moe.expert_ffn = 256;
  moe.experts_per_token = 8;
  moe.shared_ffn = 512;
  plan.model = sparse;
  const Estimate mixture = estimate(plan);
  const double work = mixture.model_flops / dense.model_flops;
  EXPECT_GT(mixture.step / dense.step, work);
  EXPECT_LT(work, 0.5);
}

}  // namespace
}  // namespace trainwright::model
