// SPDX-License-Identifier: Apache-2.0
#include "executor/session/communication_plan.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/builders.hpp"

namespace trainwright::executor {
namespace {

using model::RankId;
using model::TaskId;

model::ExecutionGraph graph_of(const model::Layout& layout) {
  return model::build_execution_graph(test::small_plan(layout, 4));
}

TEST(CommunicationPlan, OneRankJoinsNothing) {
  const CommunicationPlan plan(graph_of({}), RankId(0));
  EXPECT_TRUE(plan.groups().empty());
  EXPECT_EQ(plan.memory_bytes(), 0);
}

// The members of a group agree on its name and members; its operations have the same salts and sizes in the same order.
TEST(CommunicationPlan, MembersAgree) {
  const model::ExecutionGraph graph = graph_of({.dp = 2, .tp = 2, .pp = 2});
  std::map<std::string, std::vector<RankId>> members;
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::size_t>>> operations;
  std::map<std::string, int> joined;
  for (int r = 0; r < graph.rank_count(); ++r) {
    const CommunicationPlan plan(graph, RankId(r));
    for (const GroupOptions& group : plan.groups()) {
      EXPECT_EQ(members.emplace(group.name, group.members).first->second, group.members) << group.name;
      EXPECT_EQ(group.members[static_cast<std::size_t>(group.own_index)], RankId(r));
      ++joined[group.name];
    }
    std::map<std::string, std::vector<std::pair<std::uint32_t, std::size_t>>> own;
    const auto& tasks = graph.program_of_rank(RankId(r)).tasks;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      if (const auto& what = plan.of(TaskId(i)); what && std::holds_alternative<model::CollectiveWork>(tasks[i].work))
        own[plan.groups()[what->group].name].emplace_back(what->salt, what->elements);
    for (const auto& [name, list] : own)
      EXPECT_EQ(operations.emplace(name, list).first->second, list) << name;
  }
  for (const auto& [name, count] : joined)
    EXPECT_EQ(static_cast<std::size_t>(count), members[name].size()) << name;
  EXPECT_GE(members.size(), 6U);  // tensor and data groups, two directions of two pipelines
}

TEST(CommunicationPlan, MessagesNameTheOtherEnd) {
  const model::ExecutionGraph graph = graph_of({.pp = 2});
  const CommunicationPlan first(graph, RankId(0));
  const CommunicationPlan last(graph, RankId(1));
  std::map<std::uint32_t, std::size_t> sent;
  int received = 0;
  const auto& from = graph.program_of_rank(RankId(0)).tasks;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (const auto* transfer = std::get_if<model::TransferWork>(&from[i].work);
        transfer != nullptr && transfer->is_send) {
      EXPECT_EQ(first.of(TaskId(i))->peer, 1);
      EXPECT_EQ(first.of(TaskId(i))->elements, static_cast<std::size_t>((transfer->bytes.count() + 3) / 4));
      sent[first.of(TaskId(i))->salt] = first.of(TaskId(i))->elements;
    }
  const auto& to = graph.program_of_rank(RankId(1)).tasks;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const auto* transfer = std::get_if<model::TransferWork>(&to[i].work);
        transfer != nullptr && !transfer->is_send) {
      ++received;
      EXPECT_EQ(sent.at(last.of(TaskId(i))->salt), last.of(TaskId(i))->elements);
    }
  EXPECT_EQ(static_cast<std::size_t>(received), sent.size());
  EXPECT_EQ(received, 4);
}

}  // namespace
}  // namespace trainwright::executor
