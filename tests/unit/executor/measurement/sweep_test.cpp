// Sizes, their order, and shares of the time.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/sweep.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "executor/measurement/collective_benchmark.hpp"
#include "executor/measurement/compute_benchmark.hpp"
#include "executor/measurement/point_budget.hpp"
#include "executor/measurement/sampling.hpp"
#include "executor/measurement/storage_benchmark.hpp"

namespace trainwright::executor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;

TEST(LogSpaced, HasEqualRatiosAndBothEnds) {
  EXPECT_THAT(log_spaced(1, 1000, 4), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(log_spaced(1024, 65536, 4, 64), ElementsAre(1024, 4096, 16384, 65536));
}

TEST(LogSpaced, RoundsToMultiplesWithoutRepeating) {
  EXPECT_THAT(log_spaced(8, 24, 10, 8), ElementsAre(8, 16, 24));
  EXPECT_THAT(log_spaced(5, 5, 1), ElementsAre(5));
}

TEST(ShuffledOrder, IsAPermutationThatTheSeedDecides) {
  const std::vector<std::size_t> order = shuffled_order(50, 7);
  EXPECT_EQ(order, shuffled_order(50, 7));
  EXPECT_NE(order, shuffled_order(50, 8));
  std::vector<std::size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NE(order, sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(sorted[i], i);
  EXPECT_THAT(shuffled_order(0, 1), IsEmpty());
}

TEST(PointBudget, SharesWhatIsLeft) {
  PointBudget budget(model::Seconds(10.0), 4.0);
  EXPECT_EQ(budget.next(model::Seconds(0.0), 1.0), model::Seconds(2.5));
  // The first took nothing of its share: the others get more.
  EXPECT_DOUBLE_EQ(budget.next(model::Seconds(0.0), 2.0).count(), 10.0 * 2.0 / 3.0);
  // The last gets all there is; late, that is nothing.
  PointBudget late = budget;
  EXPECT_EQ(budget.next(model::Seconds(9.0), 1.0), model::Seconds(1.0));
  EXPECT_EQ(late.next(model::Seconds(11.0), 1.0), model::Seconds(0.0));
}

TEST(Shapes, StayWithinTheirRange) {
  const std::vector<model::GemmWork> shapes = gemm_shapes(false);
  EXPECT_EQ(shapes.size(), 24U);
  for (const model::GemmWork& shape : shapes) {
    for (const std::int64_t size : {shape.m, shape.n, shape.k}) {
      EXPECT_GE(size, 32);
      EXPECT_LE(size, 2048);
    }
    EXPECT_EQ(shape.precision, model::Precision::fp32);
  }
  EXPECT_LT(gemm_shapes(true).size(), shapes.size());
}

TEST(GroupSizes, ArePowersOfTwoAndTheWhole) {
  EXPECT_THAT(collective_group_sizes(1), IsEmpty());
  EXPECT_THAT(collective_group_sizes(2), ElementsAre(2));
  EXPECT_THAT(collective_group_sizes(6), ElementsAre(2, 4, 6));
  EXPECT_THAT(collective_group_sizes(8), ElementsAre(2, 4, 8));
}

TEST(WholeBlocks, GiveEachRankWholeFloats) {
  EXPECT_EQ(whole_blocks(1024, 2), 1024);
  EXPECT_EQ(whole_blocks(1024, 3), 1032);
  EXPECT_EQ(whole_blocks(1, 4), 16);
}

TEST(SizeText, UsesWholeBinaryMultiples) {
  EXPECT_EQ(size_text(512), "512 B");
  EXPECT_EQ(size_text(65536), "64 KiB");
  EXPECT_EQ(size_text(16777216), "16 MiB");
  EXPECT_EQ(size_text(1025), "1025 B");
}

}  // namespace
}  // namespace trainwright::executor
