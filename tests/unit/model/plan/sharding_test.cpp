// SPDX-License-Identifier: Apache-2.0
#include "model/plan/sharding.hpp"

#include <gmock/gmock.h>

#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using ::testing::ElementsAre;

constexpr PartParameters kBillion{1'000'000'000, 0};

Plan plan_with(int zero, int dp, int zero_group = 0) {
  Layout layout;
  layout.dp = dp;
  layout.zero = zero;
  layout.zero_group = zero_group;
  Plan plan = test::small_plan(layout, 1);
  plan.job.precision = Precision::bf16;
  plan.job.framework = "deepspeed";
  return plan;
}

std::int64_t held(const Plan& plan, MemoryTerm term, const std::vector<PartParameters>& parts) {
  std::int64_t sum = 0;
  for (const ResidentMemory& memory : resident_memory(plan, parts))
    if (memory.term == term)
      sum += memory.bytes.count();
  return sum;
}

double states_per_parameter(int zero) {
  const Plan plan = plan_with(zero, 8);
  std::int64_t sum = 0;
  for (const MemoryTerm term :
       {MemoryTerm::weights, MemoryTerm::gradients, MemoryTerm::master_weights, MemoryTerm::moments})
    sum += held(plan, term, {kBillion});
  return static_cast<double>(sum) / 1e9;
}

// P = 1e9, N = 8, bf16 and fp32 Adam, bf16 gradients.
TEST(MemoryCases, M04StatesPerZeroStage) {
  EXPECT_DOUBLE_EQ(states_per_parameter(0), 16.0);
  EXPECT_DOUBLE_EQ(states_per_parameter(1), 5.5);
  EXPECT_DOUBLE_EQ(states_per_parameter(2), 3.75);
  EXPECT_DOUBLE_EQ(states_per_parameter(3), 2.0);
}

TEST(Sharding, ReducesOverAllCopiesWhenNothingIsSharded) {
  EXPECT_THAT(gradient_reduction(plan_with(0, 8), kBillion),
              ElementsAre(CollectiveWork{CollectiveKind::all_reduce, GroupAxis::data_context, ByteCount(2'000'000'000),
                                         Precision::bf16}));
}

TEST(Sharding, HybridReducesShardsOverTheOtherGroups) {
  const Plan plan = plan_with(3, 8, 4);
  EXPECT_THAT(gradient_reduction(plan, kBillion),
              ElementsAre(CollectiveWork{CollectiveKind::reduce_scatter, GroupAxis::data_shard,
                                         ByteCount(2'000'000'000), Precision::bf16},
                          CollectiveWork{CollectiveKind::all_reduce, GroupAxis::data_replica, ByteCount(500'000'000),
                                         Precision::bf16}));
  EXPECT_THAT(parameter_gather(plan, kBillion),
              ElementsAre(CollectiveWork{CollectiveKind::all_gather, GroupAxis::data_shard, ByteCount(2'000'000'000),
                                         Precision::bf16}));
}

TEST(Sharding, OneRankHasNothingToReduce) {
  EXPECT_TRUE(gradient_reduction(plan_with(0, 1), kBillion).empty());
  EXPECT_TRUE(parameter_gather(plan_with(3, 1), kBillion).empty());
}

TEST(Sharding, ExpertsHaveFewerCopies) {
  Plan plan = plan_with(1, 8);
  plan.layout.tp = 2;
  plan.layout.ep = 4;
  const Sharding sharding = sharding_of(plan.layout);
  EXPECT_EQ(sharding.dense.replicas, 8);
  EXPECT_EQ(sharding.expert.replicas, 4);  // 16 ranks of a stage, experts spread over 4
  const auto works = gradient_reduction(plan, {0, 1000});
  ASSERT_EQ(works.size(), 1U);
  EXPECT_EQ(works.front().axis, GroupAxis::expert_data);
}

// Case M26: units in flight are an input of the memory of FSDP.
TEST(MemoryCases, M26GatheredUnitsFollowTheGathersInFlight) {
  Plan plan = plan_with(3, 8);
  const std::vector<PartParameters> layers(48, PartParameters{10'000'000, 0});
  plan.layout.gathers_in_flight = 2;
  const std::int64_t limited = held(plan, MemoryTerm::gathered_parameters, layers);
  EXPECT_EQ(limited, 2 * 10'000'000 * 2);
  plan.layout.gathers_in_flight = 4096;
  EXPECT_GT(held(plan, MemoryTerm::gathered_parameters, layers), 4 * limited);
}

TEST(Sharding, WithoutReshardingAllUnitsStay) {
  Plan plan = plan_with(3, 8);
  plan.layout.reshard_after_forward = false;
  const std::vector<PartParameters> layers(10, PartParameters{1'000, 0});
  EXPECT_EQ(held(plan, MemoryTerm::gathered_parameters, layers), 10 * 1'000 * 2);
}

TEST(Sharding, UpdatesItsShareOfTheParameters) {
  EXPECT_EQ(updated_parameters(plan_with(0, 8), {100, 0}), 100);
  EXPECT_EQ(updated_parameters(plan_with(1, 8), {100, 0}), 13);  // rounded up
  EXPECT_EQ(updated_parameters(plan_with(3, 8, 2), {100, 0}), 50);
}

TEST(ShardGroups, AreNeighboursAndThoseWithTheSameShard) {
  Layout layout;
  layout.tp = 2;
  layout.dp = 8;
  layout.zero = 1;
  layout.zero_group = 4;
  const Placement placement(layout, test::small_plan(layout, 1).cluster);
  const auto ranks = [&](GroupAxis axis, int member) {
    std::vector<int> values;
    for (const RankId rank : placement.group(RankId(member), axis))
      values.push_back(rank.value());
    return values;
  };
  EXPECT_THAT(ranks(GroupAxis::data_shard, 3), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(ranks(GroupAxis::data_replica, 3), ElementsAre(3, 11));
  EXPECT_EQ(placement.groups(GroupAxis::data_shard).size(), 4U);
}

TEST(ShardGroups, ExpertCopiesSkipTheRanksWithOtherExperts) {
  Layout layout;
  layout.dp = 8;
  layout.ep = 4;
  const Placement placement(layout, test::small_plan(layout, 1).cluster);
  std::vector<int> values;
  for (const RankId rank : placement.group(RankId(6), GroupAxis::expert_data))
    values.push_back(rank.value());
  EXPECT_THAT(values, ElementsAre(2, 6));
}

TEST(ShardGroups, MirrorStagesMeet) {
  Layout layout;
  layout.pp = 4;
  layout.dp = 2;
  const Placement placement(layout, test::small_plan(layout, 1).cluster);
  std::vector<int> values;
  for (const RankId rank : placement.group(RankId(5), GroupAxis::mirror))
    values.push_back(rank.value());
  EXPECT_THAT(values, ElementsAre(3, 5));
}

}  // namespace
}  // namespace trainwright::model
