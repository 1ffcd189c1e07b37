// SPDX-License-Identifier: Apache-2.0
#include "model/plan/gradient_exchange.hpp"

#include <gtest/gtest.h>

#include "model/estimate/analytic_estimator.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/sharding.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

constexpr std::int64_t kParameters = 1'000'000;

Plan plan_of(Compression compression, int sync_every = 1, int servers = 0) {
  Layout layout;
  layout.dp = 16;
  layout.compression = compression;
  layout.sync_every = sync_every;
  layout.parameter_servers = servers;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_gpt(4, 1024, 16, 51200);
  plan.cluster.groups.front().network->rate = BytesPerSecond(0.2e9);
  return plan;
}

std::vector<CollectiveWork> works(const Plan& plan) {
  return gradient_reduction(plan, {kParameters, 0, 0, 0});
}

Seconds step(const Plan& plan) {
  return AnalyticEstimator().estimate(plan, {}, {})->step;
}

TEST(GradientExchange, MessagesHaveTheBytesOfTheirKind) {
  const auto bytes = [](Compression compression) {
    const std::vector<CollectiveWork> list = works(plan_of(compression));
    return list.size() == 1 ? list.front().bytes.count() : -1;
  };
  EXPECT_EQ(bytes(Compression::none), 2 * kParameters);
  EXPECT_EQ(bytes(Compression::fp16), 2 * kParameters);
  EXPECT_EQ(bytes(Compression::int8), kParameters);
  EXPECT_EQ(bytes(Compression::top_k), kParameters / 100 * 6 * 16);
  EXPECT_EQ(bytes(Compression::power_sgd), 2 * kParameters * 8 / 1024);
  EXPECT_EQ(works(plan_of(Compression::top_k)).front().kind, CollectiveKind::all_gather);
  Plan fp32 = plan_of(Compression::fp16);
  fp32.job.precision = Precision::fp32;
  EXPECT_EQ(works(fp32).front().bytes.count(), 2 * kParameters);
}

TEST(GradientExchange, LocalStepsShareOneReduction) {
  EXPECT_EQ(works(plan_of(Compression::none, 8)).front().bytes.count(), 2 * kParameters / 8);
  EXPECT_LT(step(plan_of(Compression::none, 8)), step(plan_of(Compression::none)));
}

TEST(GradientExchange, TheLinesOfFewServersAreTheNarrowOnes) {
  const std::vector<CollectiveWork> one = works(plan_of(Compression::none, 1, 1));
  ASSERT_EQ(one.size(), 2U);  // gradients there, weights back
  EXPECT_EQ(one.front().bytes.count(), 16 * 2 * kParameters);
  EXPECT_EQ(works(plan_of(Compression::none, 1, 16)).front().bytes.count(), 2 * kParameters);
  EXPECT_GT(step(plan_of(Compression::none, 1, 1)), step(plan_of(Compression::none, 1, 4)));
  EXPECT_GT(step(plan_of(Compression::none, 1, 4)), step(plan_of(Compression::none, 1, 16)));
}

TEST(GradientExchange, PaysOnASlowNetworkAndCostsTrafficOfItsOwn) {
  EXPECT_LT(step(plan_of(Compression::int8)), step(plan_of(Compression::none)));
  EXPECT_GT(compression_traffic(plan_of(Compression::int8)), 0);
  EXPECT_EQ(compression_traffic(plan_of(Compression::none)), 0);
}

TEST(GradientExchange, NeedsWholeStates) {
  Plan plan = plan_of(Compression::int8);
  plan.layout.zero = 1;
  const std::vector<Violation> found = check_layout_rules({plan.model, plan.cluster, plan.job, plan.layout});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().rule, "layout.exchange-needs-whole-states");
}

TEST(GradientExchange, ServersHoldTheOptimizer) {
  for (const ResidentMemory& resident : resident_memory(plan_of(Compression::none, 1, 4), {{kParameters, 0, 0, 0}})) {
    EXPECT_NE(resident.term, MemoryTerm::moments);
    EXPECT_NE(resident.term, MemoryTerm::master_weights);
  }
}

}  // namespace
}  // namespace trainwright::model
