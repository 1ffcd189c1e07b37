// Where programs are cut.
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/step_items.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "simulator/engine/comm_catalog.hpp"
#include "tests/simulation/small_graphs.hpp"

namespace trainwright::simulator {
namespace {

using model::GroupAxis;
using model::Stream;
using model::TaskId;
using test::ProgramBuilder;

// "segment 0-3, send 4": kind and tasks of each item, in order of creation of its first task.
std::string text_of(const ItemProgram& items) {
  constexpr std::array<const char*, 6> kWords{"compute", "segment", "collective", "send", "receive", "host_io"};
  std::map<int, std::string> by_task;
  for (const Item& item : items.items) {
    std::string& text = by_task[item.first_task];
    text = kWords[static_cast<std::size_t>(item.kind)];
    if (item.segment < 0)
      text += " " + std::to_string(item.first_task);
    else
      for (const SegmentOp& op : items.segments[static_cast<std::size_t>(item.segment)].ops)
        text += " " + std::to_string(op.task);
  }
  std::string all;
  for (const auto& [task, text] : by_task)
    all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string cut(const model::Program& program, bool data_disturbs = false) {
  const model::ExecutionGraph graph = test::graph_of(test::layout_of(2, 2, 1), test::plain_cluster(1, 4, 4), {program});
  const CommCatalog catalog = catalog_communication(graph);
  ItemOptions options;
  for (const CommWork& work : catalog.works) {
    options.fusable_works.push_back(work.is_collective && work.collective.axis == GroupAxis::tensor);
    options.disturbing_works.push_back(data_disturbs && work.is_collective && work.collective.axis == GroupAxis::data);
  }
  std::vector<std::string> problems;
  const ItemProgram items = cut_into_items(program, catalog.work_of_task.front(), options, problems);
  return problems.empty() ? text_of(items) : problems.front();
}

TaskId reduce(ProgramBuilder& builder, std::vector<TaskId> after) {
  return builder.collective(GroupAxis::tensor, 100, std::move(after), Stream::tensor);
}

TEST(Items, AChainOfComputeAndCollectivesIsOneSegment) {
  ProgramBuilder b;
  const TaskId first = b.compute(1);
  const TaskId sum = reduce(b, {first});
  b.compute(1, {sum});
  EXPECT_EQ(cut(b.build()), "segment 0 1 2");
}

TEST(Items, ComputesAloneAreARunOfTheirOwnRank) {
  ProgramBuilder b;
  b.compute(1);
  b.compute(1);
  EXPECT_EQ(cut(b.build()), "compute 0 1");
}

TEST(Items, ASendCutsAfterWhatItSends) {
  ProgramBuilder b;
  const TaskId first = b.compute(1);
  const TaskId sum = reduce(b, {first});
  const TaskId last = b.compute(1, {sum});
  b.collective(GroupAxis::data, 100, {last});
  b.compute(1);
  EXPECT_EQ(cut(b.build()), "segment 0 1 2, collective 3, compute 4");
}

TEST(Items, WhatIsAwaitedFromOutsideCutsBefore) {
  ProgramBuilder b;
  b.compute(1);
  const TaskId sync = b.collective(GroupAxis::data, 100);
  b.compute(1, {sync});
  EXPECT_EQ(cut(b.build()), "compute 0, collective 1, compute 2");
}

TEST(Items, ADependencyThatIsImpliedAnywayDoesNotCut) {
  ProgramBuilder b;
  const TaskId sync = b.collective(GroupAxis::data, 100);
  const TaskId first = b.compute(1, {sync});
  const TaskId sum = reduce(b, {first});
  b.compute(1, {sum, sync});
  EXPECT_EQ(cut(b.build()), "collective 0, segment 1 2 3");
}

TEST(Items, ComputeBesideACollectiveStaysInItsSegment) {
  ProgramBuilder b;
  const TaskId input = b.compute(1);
  const TaskId sum = reduce(b, {input});
  b.compute(1);  // weight gradient beside the sum
  b.compute(1, {sum});
  EXPECT_EQ(cut(b.build()), "segment 0 1 2 3");
}

TEST(Items, AnUncleanForcedCutLeavesSingleTasks) {
  // The send waits for the weight gradient, while the sum may still run: nothing to be fused between them.
  ProgramBuilder b;
  const TaskId input = b.compute(1);
  const TaskId sum = reduce(b, {input});
  const TaskId weight = b.compute(1);
  b.collective(GroupAxis::data, 100, {weight});
  const TaskId next = b.compute(1, {sum});
  const TaskId next_sum = reduce(b, {next});
  b.compute(1, {next_sum});
  EXPECT_EQ(cut(b.build()), "compute 0, collective 1, compute 2, collective 3, segment 4 5 6");
}

TEST(Items, DisturbingCollectivesRunBesideNoSegment) {
  ProgramBuilder b;
  const TaskId first = b.compute(1);
  const TaskId sum = reduce(b, {first});
  const TaskId last = b.compute(1, {sum});
  const TaskId sync = b.collective(GroupAxis::data, 100, {last});
  const TaskId beside = b.compute(1);
  const TaskId second_sum = reduce(b, {beside});
  const TaskId end = b.compute(1, {second_sum});
  const TaskId after = b.compute(1, {sync, end});
  const TaskId third_sum = reduce(b, {after});
  b.compute(1, {third_sum});
  const model::Program program = b.build();
  EXPECT_EQ(cut(program), "segment 0 1 2, collective 3, segment 4 5 6, segment 7 8 9");
  EXPECT_EQ(cut(program, true), "segment 0 1 2, collective 3, compute 4, collective 5, compute 6, segment 7 8 9");
}

TEST(Items, ACycleIsAProblem) {
  ProgramBuilder b;
  const TaskId first = b.compute(1);
  const TaskId sum = reduce(b, {first});
  model::Program program = b.build();
  program.dependencies.push_back({sum, first});
  EXPECT_EQ(cut(program), "stage 0: fixed, forward waits for itself in a cycle of dependencies");
}

}  // namespace
}  // namespace trainwright::simulator
