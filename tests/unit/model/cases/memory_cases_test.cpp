// Memory: one test for each published case, named after it. docs/cases.md lists them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/estimate/analytic_estimator.hpp"
#include "model/estimate/deepspeed_estimator.hpp"
#include "model/estimate/host_memory.hpp"
#include "model/estimate/memory_advice.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/memory_scaling.hpp"
#include "model/io/importers/run_log.hpp"
#include "model/io/load.hpp"
#include "model/plan/library_memory.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/sharding.hpp"
#include "model/validation/statistics.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using testing::HasSubstr;

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

double gib(ByteCount bytes) {
  return static_cast<double>(bytes.count()) / kGiB;
}

Estimate estimate(const Plan& plan) {
  return *AnalyticEstimator().estimate(plan, {}, {});
}

MemoryEstimate memory(const Plan& plan) {
  return estimate_memory(plan, stage_models(plan));
}

std::int64_t of(const StageMemory& stage, MemoryTerm term) {
  return stage.terms[static_cast<std::size_t>(term)].count();
}

// Parameters of a known model on `dp` ranks of nodes of eight.
Plan profile_plan(const std::string& id, int dp, int zero) {
  Diagnostics problems;
  Layout layout;
  layout.dp = dp;
  layout.zero = zero;
  Plan plan = test::small_plan(layout, 1);
  plan.model = *load_model(id, problems);
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
  return plan;
}

TEST(MemoryCases, M02_DeepSpeedsOwnFiguresInGiB) {
  constexpr std::int64_t kParameters = 2'851'000'000;
  constexpr std::int64_t kLayer = 32'000'000;
  const DeepSpeedFigures two_offloaded = deepspeed_zero2(kParameters, 8, 1, DeepSpeedOffload::optimizer);
  EXPECT_NEAR(gib(two_offloaded.device), 5.31, 0.01);
  EXPECT_NEAR(gib(two_offloaded.host), 127.45, 0.05);
  EXPECT_NEAR(gib(deepspeed_zero2(kParameters, 8, 1, DeepSpeedOffload::none).device), 15.93, 0.01);
  const DeepSpeedFigures all = deepspeed_zero3(kParameters, kLayer, 8, 1, DeepSpeedOffload::all);
  EXPECT_NEAR(gib(all.device), 0.12, 0.005);
  EXPECT_NEAR(gib(all.host), 71.7, 0.05);
  EXPECT_NEAR(gib(deepspeed_zero3(kParameters, kLayer, 8, 1, DeepSpeedOffload::optimizer).device), 0.78, 0.01);
  EXPECT_NEAR(gib(deepspeed_zero3(kParameters, kLayer, 8, 1, DeepSpeedOffload::none).device),
              gib(ByteCount(4 * kLayer + 18 * kParameters / 8)), 0.01);
}

TEST(MemoryCases, M03_OnlyShardedTermsHalveWithTwiceTheRanks) {
  Layout layout;
  layout.dp = 8;
  layout.zero = 3;
  const MemoryScaling scaling = memory_scaling(test::small_plan(layout, 1));
  std::int64_t now = 0;
  for (const TermScaling& term : scaling.terms) {
    now += term.now.count();
    if (term.is_sharded)
      EXPECT_NEAR(static_cast<double>(term.doubled.count()), 0.5 * static_cast<double>(term.now.count()), 8.0)
          << to_word(term.term);
    else
      EXPECT_EQ(term.doubled, term.now) << to_word(term.term);
  }
  const auto is_sharded = [&](MemoryTerm which) {
    return std::any_of(scaling.terms.begin(), scaling.terms.end(),
                       [&](const TermScaling& term) { return term.term == which && term.is_sharded; });
  };
  EXPECT_TRUE(is_sharded(MemoryTerm::moments));
  EXPECT_FALSE(is_sharded(MemoryTerm::gathered_parameters));
  EXPECT_FALSE(is_sharded(MemoryTerm::context));
  EXPECT_LT(scaling.floor.count(), now);
  EXPECT_GT(scaling.floor.count(), 0);
}

TEST(MemoryCases, M06_BucketsOutweighWhatSharding2SavesOnASmallModel) {
  Layout layout;
  layout.dp = 4;
  Plan plan = test::small_plan(layout, 1);
  plan.job.framework = "deepspeed";
  plan.layout.bucket = ByteCount(2 * 500'000'000L);
  const std::vector<PartParameters> parts{{110'000'000, 0, 0, 0}};
  const auto held = [&] {
    std::int64_t sum = 0;
    for (const ResidentMemory& resident : resident_memory(plan, parts))
      sum += resident.bytes.count();
    return sum;
  };
  const std::int64_t plain = held();
  plan.layout.zero = 2;
  EXPECT_GT(held(), plain);
  const auto problems = check_advice_rules({plan.model, plan.cluster, plan.job, plan.layout});
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [](const Violation& v) { return v.rule == "layout.zero-costs-more"; });
  ASSERT_NE(found, problems.end());
  EXPECT_THAT(found->message, HasSubstr("2 GB for its buckets"));
  // 14 bytes a parameter are sharded over 4: 2 GB / (14 x 3 / 4).
  EXPECT_THAT(found->hint, HasSubstr("worth it above 190000000 parameters a rank"));
}

TEST(MemoryCases, M07_TheBucketChangesTimeAndMemory) {
  Layout layout;
  layout.dp = 8;
  layout.zero = 2;
  Plan plan = test::small_plan(layout, 4);
  plan.layout.bucket = ByteCount(64 * 1024);
  const Estimate small = estimate(plan);
  plan.layout.bucket = ByteCount(64L * 1024 * 1024);
  const Estimate large = estimate(plan);
  EXPECT_NE(small.step, large.step);
  EXPECT_LT(of(small.memory.stages.front(), MemoryTerm::buckets), of(large.memory.stages.front(), MemoryTerm::buckets));
}

TEST(MemoryCases, M08_ThePeakIsTheMostOfAllPhasesAndMayBeBeforeTheFirstStep) {
  Layout layout;
  layout.dp = 2;
  layout.zero = 3;
  layout.recompute = Recompute::full;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_gpt(24, 1024, 16, 30720);
  plan.job.framework = "deepspeed";
  plan.job.seq_len = 8;
  const MemoryEstimate small = memory(plan);
  const StageMemory& stage = small.stages.front();
  EXPECT_EQ(stage.peak, *std::max_element(stage.phases.begin(), stage.phases.end()));
  EXPECT_EQ(stage.peak_phase, "initialise");
  plan.job.seq_len = 2048;
  plan.layout.micro_batch = 4;
  plan.job.global_batch = 8;
  EXPECT_NE(memory(plan).stages.front().peak_phase, "initialise");
}

TEST(MemoryCases, M09_HostMemoryRefusesOffloadOfTenBillionParameters) {
  Layout layout;
  layout.dp = 8;
  layout.zero = 2;
  layout.offload_optimizer = true;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_gpt(50, 4096, 32, 50304);
  plan.cluster.groups.front().host_memory = ByteCount(32L * 1024 * 1024 * 1024);
  const MemoryEstimate tight = memory(plan);
  EXPECT_EQ(tight.host.verdict, MemoryVerdict::does_not_fit);
  EXPECT_EQ(tight.verdict, MemoryVerdict::does_not_fit);
  EXPECT_GT(gib(tight.host.used), 64.0);
  plan.cluster.groups.front().host_memory = ByteCount(1024L * 1024 * 1024 * 1024);
  EXPECT_EQ(memory(plan).host.verdict, MemoryVerdict::fits);
  // What moved to the host is not on the device.
  EXPECT_EQ(of(tight.stages.front(), MemoryTerm::moments), 0);
}

TEST(MemoryCases, M11_EveryProcessReadsTheWholeModel) {
  constexpr double kHost = 512e9;
  const ByteCount seven = loading_host_bytes(6'740'000'000, 8);
  const ByteCount thirty = loading_host_bytes(32'000'000'000, 8);
  EXPECT_NEAR(static_cast<double>(seven.count()), 215.7e9, 0.1e9);
  EXPECT_NEAR(static_cast<double>(thirty.count()), 1024e9, 0.1e9);
  EXPECT_LT(static_cast<double>(seven.count()), kHost);
  EXPECT_GT(static_cast<double>(thirty.count()), kHost);
  // The same for a plan: eight ranks a node.
  EXPECT_NEAR(static_cast<double>(memory(profile_plan("llama-2-7b", 8, 0)).host.load.count()), 215.6e9, 0.2e9);
}

TEST(MemoryCases, M16_FrozenWeightsOfAdaptersAreReplicatedUnlessSharded) {
  for (const int dp : {1, 8}) {
    Plan plan = profile_plan("mixtral-8x7b", dp, 0);
    plan.job.adapter_rank = 8;
    const MemoryEstimate e = memory(plan);
    EXPECT_NEAR(static_cast<double>(of(e.stages.front(), MemoryTerm::weights)), 93.4e9, 0.5e9) << dp;
    EXPECT_EQ(e.verdict, MemoryVerdict::does_not_fit);
    EXPECT_LT(of(e.stages.front(), MemoryTerm::moments), 2'000'000'000);
  }
  Plan sharded = profile_plan("mixtral-8x7b", 8, 3);
  sharded.job.adapter_rank = 8;
  EXPECT_NEAR(static_cast<double>(of(memory(sharded).stages.front(), MemoryTerm::weights)), 11.7e9, 0.1e9);
}

TEST(MemoryCases, M20_TheFirstRemedyForLogitsIsTheChunkedLoss) {
  Layout layout;
  layout.micro_batch = 1;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_llama(4, 1024, 16);
  plan.model.vocab = 128256;
  plan.job.seq_len = 65536;
  plan.model.max_positions = 65536;
  plan.cluster.groups.front().accelerator.memory = ByteCount(60'000'000'000);
  const Estimate e = estimate(plan);
  ASSERT_EQ(e.memory.verdict, MemoryVerdict::does_not_fit);
  const StageMemory& stage = e.memory.stages.front();
  ASSERT_GT(of(stage, MemoryTerm::logits), of(stage, MemoryTerm::activations));
  ASSERT_FALSE(e.advice.empty());
  EXPECT_THAT(e.advice.front().action, HasSubstr("compute the loss in"));
  EXPECT_LT(*e.advice.front().peak_memory_after, e.memory.peak);
  EXPECT_GT(*e.advice.front().step_after, e.step);
}

TEST(MemoryCases, M25_TheAllocatorsErrorInNumbers) {
  const std::string line =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total capacity of 79.18 GiB "
      "of which 1.08 GiB is free. Including non-PyTorch memory, this process has 78.09 GiB memory in use. Of the "
      "allocated memory 75.31 GiB is allocated by PyTorch, and 1.83 GiB is reserved by PyTorch but unallocated.";
  const auto error = allocator_error(line);
  ASSERT_TRUE(error);
  EXPECT_NEAR(gib(error->capacity), 79.18, 1e-6);
  EXPECT_NEAR(gib(error->used), 78.09, 1e-6);
  EXPECT_NEAR(gib(error->allocated), 75.31, 1e-6);
  EXPECT_NEAR(gib(error->unusable), 1.83, 1e-6);
  EXPECT_NEAR(gib(error->request), 1.96, 1e-6);
  EXPECT_EQ(error->verdict(), "fragmentation or slack, short by 0.88 GiB");
  EXPECT_FALSE(allocator_error("CUDA out of memory."));
  EXPECT_FALSE(allocator_error("nothing of the kind"));
}

TEST(MemoryCases, M25_SlackGrowsWithWhatComesAndGoes) {
  Layout layout;
  Plan plan = test::small_plan(layout, 1);
  const std::int64_t once = of(memory(plan).stages.front(), MemoryTerm::fragmentation);
  plan.layout.micro_batch = 4;
  plan.job.global_batch = 4;
  EXPECT_GT(of(memory(plan).stages.front(), MemoryTerm::fragmentation), 2 * once);
  EXPECT_GT(once, 0);
}

TEST(MemoryCases, M26_GathersInFlightDecideTheMemoryOfShardedParameters) {
  Layout layout;
  layout.dp = 8;
  layout.zero = 3;
  Plan plan = test::small_plan(layout, 1);
  const std::vector<PartParameters> layers(48, {100'000'000, 0, 0, 0});
  const auto gathered = [&] {
    for (const ResidentMemory& resident : resident_memory(plan, layers))
      if (resident.term == MemoryTerm::gathered_parameters)
        return static_cast<double>(resident.bytes.count());
    return 0.0;
  };
  plan.layout.gathers_in_flight = 2;
  const double limited = gathered();
  plan.layout.gathers_in_flight = 4096;
  EXPECT_GT(gathered() / limited, 4.0);
  plan.model = test::small_gpt(24);
  const Seconds all = estimate(plan).step;
  plan.layout.gathers_in_flight = 2;
  EXPECT_NEAR(estimate(plan).step / all, 1.0, 0.10);
}

TEST(MemoryCases, M27_EveryGroupTakesMemoryOfItsOwn) {
  Layout one;
  one.dp = 16;
  Layout five = one;
  five.dp = five.tp = five.pp = five.cp = 2;
  five.ep = 2;
  Plan plan = test::small_plan(one, 1);
  plan.model = test::small_moe();
  const auto sum = [](const std::vector<CommunicatorMemory>& list) {
    std::int64_t bytes = 0;
    for (const CommunicatorMemory& communicator : list)
      bytes += communicator.bytes.count();
    return bytes;
  };
  const std::vector<CommunicatorMemory> few = communicator_memory(plan);
  plan.layout = five;
  const std::vector<CommunicatorMemory> many = communicator_memory(plan);
  EXPECT_EQ(few.size(), 1U);
  std::vector<std::string_view> names;
  for (const CommunicatorMemory& communicator : many)
    names.push_back(to_word(communicator.axis));
  EXPECT_THAT(names, testing::IsSupersetOf({"tensor", "context", "data-context", "pipeline", "expert"}));
  EXPECT_GE(sum(many), 2 * sum(few));
}

TEST(MemoryCases, M30_MemoryThatGrowsWithMicroBatchesIsFlagged) {
  const BatchSlope slope = memory_slope({{8, 35.9 * kGiB}, {16, 45.2 * kGiB}});
  EXPECT_NEAR(slope.bytes_per_micro_batch / kGiB, 1.16, 0.01);
  EXPECT_NEAR(slope.at(32) / kGiB, 63.8, 0.1);
  EXPECT_TRUE(slope.is_unexpected());
  EXPECT_FALSE(memory_slope({{8, 35.9 * kGiB}, {16, 36.0 * kGiB}}).is_unexpected());
  Layout layout;
  layout.pp = 4;
  EXPECT_EQ(memory(test::small_plan(layout, 8)).peak, memory(test::small_plan(layout, 32)).peak);
}

TEST(MemoryCases, M31_NearTheCapacityThePlanIsBorderlineAndHasSaferNeighbours) {
  Layout layout;
  layout.dp = 2;
  layout.tp = 2;
  layout.micro_batch = 2;
  Plan plan = test::small_plan(layout, 4);
  const ByteCount peak = memory(plan).peak;
  plan.cluster.groups.front().accelerator.memory =
      ByteCount(static_cast<std::int64_t>(static_cast<double>(peak.count()) * 1.03));
  const Estimate e = estimate(plan);
  EXPECT_EQ(e.memory.verdict, MemoryVerdict::borderline);
  ASSERT_FALSE(e.advice.empty());
  ASSERT_TRUE(e.advice.front().peak_memory_after);
  EXPECT_LT(*e.advice.front().peak_memory_after, peak);
  plan.cluster.groups.front().accelerator.memory =
      ByteCount(static_cast<std::int64_t>(static_cast<double>(peak.count()) * 1.06));
  EXPECT_EQ(estimate(plan).memory.verdict, MemoryVerdict::fits);
}

TEST(MemoryCases, V25_APlanThatCannotFitNamesMemoryAndTheDevicesItNeeds) {
  Plan plan = profile_plan("deepseek-v3", 1, 0);
  plan.layout.ep = 2;
  plan.layout.dp = 2;
  plan.job.global_batch = 2;
  plan.cluster = test::switched_cluster(1, 2);
  plan.cluster.groups.front().accelerator.memory = ByteCount(141'000'000'000);
  const Estimate e = estimate(plan);
  EXPECT_EQ(e.memory.verdict, MemoryVerdict::does_not_fit);
  EXPECT_GT(e.tokens_per_second, 0.0);
  ASSERT_FALSE(e.advice.empty());
  // 671e9 parameters x 18 bytes over 95 % of 141 GB.
  EXPECT_NEAR(static_cast<double>(least_devices(plan)), 671e9 * 18 / (0.95 * 141e9), 2.0);
  EXPECT_TRUE(std::any_of(e.advice.begin(), e.advice.end(), [](const Advice& advice) {
    return advice.action.find("use at least") != std::string::npos;
  }));
}

TEST(MemoryCases, M32_TheVerdictQuotesBothPartsAndWhatIsMissing) {
  const auto bytes = [](double count) { return ByteCount(static_cast<std::int64_t>(count * kGiB)); };
  StageMemory stage;
  stage.terms[static_cast<std::size_t>(MemoryTerm::weights)] = bytes(45.0);
  stage.terms[static_cast<std::size_t>(MemoryTerm::moments)] = bytes(100.0);
  stage.terms[static_cast<std::size_t>(MemoryTerm::activations)] = bytes(62.0);
  stage.peak = bytes(207.0);
  MemoryEstimate e;
  e.stages = {stage};
  e.peak = stage.peak;
  e.capacity = bytes(192.0);
  e.verdict = MemoryVerdict::does_not_fit;
  EXPECT_EQ(memory_verdict_text(e),
            "does not fit: 145.0 GiB of states + 62.0 GiB of the rest on 192.0 GiB, over by 15.0 GiB");
}

TEST(MemoryCases, M33_PredictedAgainstMeasuredPerRun) {
  const auto error = [](double predicted, double measured) {
    validation::RowResult row;
    row.memory_predicted_bytes = predicted * 1e9;
    row.memory_measured_bytes = measured * 1e9;
    return *row.memory_error();
  };
  EXPECT_NEAR(error(49.8, 49.5), 0.006, 0.0005);
  EXPECT_NEAR(error(28.8, 28.6), 0.007, 0.0005);
  EXPECT_NEAR(error(68.8, 69.1), -0.004, 0.0005);
  EXPECT_FALSE(validation::RowResult{}.memory_error());
}

TEST(MemoryCases, M34_LongContextGrowsWithTheSquareOverContextRanks) {
  const auto step = [](int nodes, std::int64_t tokens) {
    Layout layout;
    layout.cp = 8 * nodes;
    layout.recompute = Recompute::full;
    Plan plan = test::small_plan(layout, 1);
    plan.model = test::small_llama(36, 4096, 32);
    plan.model.max_positions = plan.job.seq_len = tokens;
    return estimate(plan).step.count();
  };
  const double ratio = step(4, 4L << 20) / step(1, 1L << 20);
  EXPECT_GT(ratio, 3.0);
  EXPECT_LT(ratio, 4.5);
}

TEST(MemoryCases, M35_FixedPartAndSavedPartOfALayer) {
  // 22 GB and 0.47 GB a layer: linear in the layers, apart from a part that does not grow.
  const auto peak = [](int layers) {
    Plan plan = test::small_plan(Layout{}, 1);
    plan.model = test::small_llama(layers, 1024, 16);
    plan.job.seq_len = plan.model.max_positions = 4096;
    return of(memory(plan).stages.front(), MemoryTerm::activations);
  };
  const std::int64_t layer = peak(3) - peak(2);
  EXPECT_EQ(peak(36), peak(2) + 34 * layer);
  EXPECT_NEAR(22.0 + 36 * 0.47, 38.9, 0.05);
}

}  // namespace
}  // namespace trainwright::model
