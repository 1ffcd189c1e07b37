// SPDX-License-Identifier: Apache-2.0
#include "executor/session/job_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "executor/session/communication_plan.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::executor {
namespace {

using model::RankId;

class JobGroupsOf : public ::testing::TestWithParam<model::Layout> {
 protected:
  JobGroupsOf() {
    model::Plan plan = test::small_plan(GetParam(), 2 * GetParam().pp);
    plan.model = GetParam().ep > 1 ? test::small_moe(12) : test::small_gpt(12);
    EXPECT_FALSE(check_plan(plan, "").has_errors()) << check_plan(plan, "").to_text();
    graph.emplace(model::build_execution_graph(plan));
  }
  std::optional<model::ExecutionGraph> graph;
};

// Ranks that join in the order of rounds meet in every group without waiting in a circle.
TEST_P(JobGroupsOf, PutNoRankInTwoGroupsOfARound) {
  const JobGroups job = job_groups(*graph);
  std::map<int, std::set<RankId>> busy;
  int last = 0;
  for (const JobGroup& group : job.groups) {
    EXPECT_GE(group.round, last);
    EXPECT_LT(group.round, job.rounds);
    last = group.round;
    EXPECT_GE(group.members.size(), 2U);
    for (const RankId member : group.members)
      EXPECT_TRUE(busy[group.round].insert(member).second) << group_name(group.key);
  }
}

TEST_P(JobGroupsOf, NameEachGroupOnceAndCoverEveryTask) {
  const JobGroups job = job_groups(*graph);
  std::set<std::string> names;
  for (const JobGroup& group : job.groups)
    EXPECT_TRUE(names.insert(group_name(group.key)).second) << group_name(group.key);
  for (int r = 0; r < graph->rank_count(); ++r) {
    const CommunicationPlan plan(*graph, RankId(r));
    EXPECT_EQ(plan.rounds(), job.rounds);
    for (const GroupOptions& group : plan.groups()) {
      EXPECT_TRUE(names.contains(group.name)) << group.name;
      EXPECT_TRUE(group.stream.has_value()) << group.name;
    }
    const auto& tasks = graph->program_of_rank(RankId(r)).tasks;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      if (const auto& what = plan.of(model::TaskId(i))) {
        EXPECT_EQ(plan.groups()[what->group].stream, tasks[i].stream);  // one stream uses a group
      }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, JobGroupsOf,
    ::testing::Values(model::Layout{.dp = 2, .tp = 2, .pp = 2}, model::Layout{.pp = 3}, model::Layout{.pp = 4},
                      model::Layout{.pp = 2, .vpp = 2, .schedule = model::PipelineSchedule::interleaved},
                      model::Layout{.dp = 4, .ep = 2, .zero = 3}),
    [](const auto& test) { return "Layout" + std::to_string(test.index); });

// Tied embeddings add a group of the first and the last stage.
TEST(JobGroups, OfAPipelineAreItsEdges) {
  model::Plan plan = test::small_plan({.pp = 3}, 3);
  plan.model = test::small_gpt(3);
  const JobGroups job = job_groups(model::build_execution_graph(plan));
  std::vector<std::string> names;
  for (const JobGroup& group : job.groups)
    names.push_back(std::to_string(group.round) + " " + group_name(group.key));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"0 forward.0-1", "1 forward.1-2", "2 backward.1-0", "3 backward.2-1",
                                             "4 data-stream.embedding.0"}));
}

}  // namespace
}  // namespace trainwright::executor
