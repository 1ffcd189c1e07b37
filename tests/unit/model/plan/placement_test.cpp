// SPDX-License-Identifier: Apache-2.0
#include "model/plan/placement.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

Placement placement(int dp, int tp, int pp, int cp = 1) {
  Layout layout;
  layout.dp = dp;
  layout.tp = tp;
  layout.pp = pp;
  layout.cp = cp;
  return {layout, test::switched_cluster((dp * tp * pp * cp + 7) / 8)};
}

TEST(Placement, IsABijectionBothWays) {
  const Placement p = placement(3, 2, 4, 2);
  std::set<Coordinates> seen;
  for (int r = 0; r < p.world_size(); ++r) {
    const Coordinates c = p.coordinates(RankId(r));
    EXPECT_EQ(p.rank(c), RankId(r));
    EXPECT_TRUE(seen.insert(c).second);
  }
  EXPECT_EQ(seen.size(), 48U);
}

TEST(Placement, TensorIsInnermostAndPipelineOutermost) {
  const Placement p = placement(2, 4, 2);
  EXPECT_EQ(p.group(RankId(5), GroupAxis::tensor), (std::vector<RankId>{RankId(4), RankId(5), RankId(6), RankId(7)}));
  EXPECT_EQ(p.group(RankId(5), GroupAxis::data), (std::vector<RankId>{RankId(1), RankId(5)}));
  EXPECT_EQ(p.group(RankId(5), GroupAxis::pipeline), (std::vector<RankId>{RankId(5), RankId(13)}));
}

TEST(Placement, GroupsOfAnAxisPartitionTheRanks) {
  const Placement p = placement(2, 2, 2, 2);
  for (const GroupAxis axis : {GroupAxis::tensor, GroupAxis::context, GroupAxis::data, GroupAxis::data_context,
                               GroupAxis::pipeline, GroupAxis::world}) {
    std::set<RankId> seen;
    for (const auto& group : p.groups(axis))
      for (const RankId rank : group)
        EXPECT_TRUE(seen.insert(rank).second) << to_word(axis);
    EXPECT_EQ(seen.size(), 16U) << to_word(axis);
  }
}

TEST(Placement, EmbeddingGroupsJoinFirstAndLastStage) {
  const Placement p = placement(1, 1, 4);
  EXPECT_EQ(p.group(RankId(0), GroupAxis::embedding), (std::vector<RankId>{RankId(0), RankId(3)}));
  EXPECT_EQ(p.group(RankId(1), GroupAxis::embedding), (std::vector<RankId>{RankId(1)}));
}

TEST(Placement, SpreadsRanksOverSharedCores) {
  Layout layout;
  layout.dp = 4;
  const Placement p(layout, test::shared_core_node(2));
  EXPECT_EQ(p.device(RankId(0)), DeviceId(0));
  EXPECT_EQ(p.device(RankId(1)), DeviceId(0));
  EXPECT_EQ(p.device(RankId(3)), DeviceId(1));
}

}  // namespace
}  // namespace trainwright::model
