// Which ranks count as alike.
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/rank_classes.hpp"

#include <gtest/gtest.h>

#include "tests/simulation/small_graphs.hpp"

namespace trainwright::simulator {
namespace {

using test::ProgramBuilder;

model::ExecutionGraph two_stages(const model::Layout& layout, const model::Cluster& cluster) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.send(1, 100, 0, {first.compute(1)});
  first.collective(model::GroupAxis::data, 100);
  second.compute(1, {second.receive(0, 100, 0)});
  second.collective(model::GroupAxis::data, 100);
  return test::graph_of(layout, cluster, {first.build(), second.build()});
}

TEST(RankClasses, AreTheStagesWhenAllElseIsEqual) {
  const model::ExecutionGraph graph = two_stages(test::layout_of(2, 4, 2), test::plain_cluster(2, 8, 8));
  const RankClasses classes =
      find_rank_classes(graph, catalog_communication(graph), std::vector<int>(16, 0), [](int, int) { return 1.0; });
  EXPECT_EQ(classes.size, (std::vector<int>{8, 8}));
  EXPECT_EQ(classes.representative, (std::vector<model::RankId>{model::RankId(0), model::RankId(8)}));
}

TEST(RankClasses, ASlowRankSetsItsGroupAndItsPipelineApart) {
  const model::ExecutionGraph graph = two_stages(test::layout_of(2, 2, 2), test::plain_cluster(1, 8, 8));
  std::vector<int> compute(8, 0);
  compute[0] = 1;
  const RankClasses classes =
      find_rank_classes(graph, catalog_communication(graph), compute, [](int, int) { return 1.0; });
  // Rank 0 itself; its data-parallel partner 2; its pipeline partner 4; that one's data-parallel partner 6; the ranks
  // of the other tensor coordinate, by stage.
  EXPECT_EQ(classes.class_of_rank, (std::vector<int>{0, 1, 2, 1, 3, 4, 5, 4}));
}

TEST(RankClasses, DifferentCommunicationTimesSetGroupsApart) {
  const model::ExecutionGraph graph = two_stages(test::layout_of(2, 2, 2), test::plain_cluster(1, 8, 8));
  const CommCatalog catalog = catalog_communication(graph);
  const RankClasses classes = find_rank_classes(graph, catalog, std::vector<int>(8, 0), [&](int work, int group) {
    return catalog.works[static_cast<std::size_t>(work)].is_collective && group == 0 ? 2.0 : 1.0;
  });
  EXPECT_EQ(classes.class_of_rank[0], classes.class_of_rank[2]);
  EXPECT_NE(classes.class_of_rank[0], classes.class_of_rank[1]);
}

}  // namespace
}  // namespace trainwright::simulator
