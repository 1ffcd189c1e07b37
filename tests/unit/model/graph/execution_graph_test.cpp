// SPDX-License-Identifier: Apache-2.0
#include "model/graph/execution_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/plan/lowering.hpp"
#include "model/workload/parameters.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

Layout layout(int dp, int tp, int pp) {
  Layout l;
  l.dp = dp;
  l.tp = tp;
  l.pp = pp;
  return l;
}

std::int64_t count_kind(const ExecutionGraph& graph, RankId rank, std::string_view kind) {
  std::int64_t count = 0;
  for (const Task& task : graph.program_of_rank(rank).tasks)
    count += kind_word(task) == kind ? 1 : 0;
  return count;
}

TEST(ExecutionGraph, CanRunToItsEndForEveryMixOfDegrees) {
  for (const int dp : {1, 2, 3})
    for (const int tp : {1, 2, 4})
      for (const int pp : {1, 2, 4})
        for (const int micro_batches : {1, 3, 8}) {
          const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(dp, tp, pp), micro_batches));
          EXPECT_EQ(graph.check(), std::vector<std::string>{}) << dp << tp << pp << micro_batches;
          EXPECT_EQ(graph.rank_count(), dp * tp * pp);
          EXPECT_EQ(graph.program_count(), static_cast<std::size_t>(pp));
        }
}

TEST(ExecutionGraph, HoldsTheGemmsOfEveryLayerAndMicroBatch) {
  // Four products a layer and one head, each three times: forward, input and weight gradient.
  const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(1, 1, 1), 3));
  EXPECT_EQ(count_kind(graph, RankId(0), "gemm"), 3 * 3 * (4 * 4 + 1));
  EXPECT_EQ(count_kind(graph, RankId(0), "attention"), 3 * 2 * 4);
  EXPECT_EQ(count_kind(graph, RankId(0), "optimizer"), 1);
  EXPECT_EQ(count_kind(graph, RankId(0), "all_reduce"), 0);
}

TEST(ExecutionGraph, TensorParallelismAddsFourAllReducesALayer) {
  // Two forward, two backward (arXiv 1909.08053, figure 4); embedding 1, loss 2, head's input gradient 1.
  const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(1, 2, 1), 1));
  EXPECT_EQ(count_kind(graph, RankId(0), "all_reduce"), 4 * 4 + 1 + 2 + 1);
}

TEST(ExecutionGraph, GradientsAreReducedOnceAStepWhateverTheAccumulation) {
  Plan plan = test::small_plan(layout(2, 1, 1), 4);
  plan.layout.overlap_gradients = false;
  const ExecutionGraph graph = build_execution_graph(plan);
  EXPECT_EQ(count_kind(graph, RankId(0), "all_reduce"), 1);
}

TEST(ExecutionGraph, ReducesEveryGradientByte) {
  for (const std::int64_t bucket : {1L, 40'000L, 1L << 30}) {
    Plan plan = test::small_plan(layout(2, 1, 1), 1);
    plan.model.vocab = 512;  // already a multiple of 128: nothing padded
    plan.layout.bucket = ByteCount(bucket);
    const ExecutionGraph graph = build_execution_graph(plan);
    std::int64_t bytes = 0;
    for (const Task& task : graph.program_of_rank(RankId(0)).tasks)
      if (const auto* work = std::get_if<CollectiveWork>(&task.work))
        bytes += work->bytes.count();
    EXPECT_EQ(bytes, 2 * parameter_count(plan.model).total);
  }
}

TEST(ExecutionGraph, StagesExchangeEachMicroBatchOnceEachWay) {
  const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(1, 1, 4), 6));
  EXPECT_EQ(count_kind(graph, RankId(0), "send"), 6);
  EXPECT_EQ(count_kind(graph, RankId(1), "send"), 12);
  EXPECT_EQ(count_kind(graph, RankId(3), "receive"), 6);
}

TEST(ExecutionGraph, ComputeWaitsForTheMessageOfItsMicroBatch) {
  const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(1, 1, 4), 4));
  for (int stage = 0; stage < 4; ++stage) {
    const Program& program = graph.program(ProgramId(stage));
    for (std::size_t i = 0; i < program.tasks.size(); ++i) {
      if (kind_word(program.tasks[i]) != "receive")
        continue;
      const auto waiting = std::find_if(program.dependencies.begin(), program.dependencies.end(),
                                        [&](const Dependency& d) { return d.before == TaskId(i); });
      ASSERT_NE(waiting, program.dependencies.end()) << to_text(program.tasks[i]);
      const Phase& received = program.tasks[i].phase;
      const Task& first = program.tasks[waiting->after.index()];
      EXPECT_EQ(first.phase.micro_batch, received.micro_batch);
      EXPECT_EQ(first.phase.pass, received.pass);
      // Nothing of that pass of that micro-batch is computed before.
      for (std::size_t k = 0; k < waiting->after.index(); ++k)
        EXPECT_FALSE(program.tasks[k].stream == Stream::compute &&
                     program.tasks[k].phase.micro_batch == received.micro_batch &&
                     program.tasks[k].phase.pass == received.pass)
            << to_text(program.tasks[k]);
    }
  }
}

TEST(ExecutionGraph, ParametersOfAllRanksSumToTheModel) {
  for (const int tp : {1, 2})
    for (const int pp : {1, 2}) {
      Plan plan = test::small_plan(layout(1, tp, pp), 1);
      plan.model = test::small_llama();
      const ExecutionGraph graph = build_execution_graph(plan);
      std::int64_t weights = 0;
      for (int rank = 0; rank < graph.rank_count(); ++rank)
        weights += graph.program_of_rank(RankId(rank)).resident.front().bytes.count() / 2;
      // Norm weights are on every rank of a TP group.
      const std::int64_t norms = 4 * 2 * 64 + 64;
      EXPECT_EQ(weights, parameter_count(plan.model).total + (tp - 1) * norms) << tp << " " << pp;
    }
}

TEST(ExecutionGraph, MemoryIsGivenBackByTheEndOfTheStep) {
  const ExecutionGraph graph = build_execution_graph(test::small_plan(layout(1, 2, 2), 5));
  for (int rank = 0; rank < graph.rank_count(); ++rank) {
    std::int64_t held = 0;
    for (const Task& task : graph.program_of_rank(RankId(rank)).tasks)
      held += task.allocates.count() - task.frees.count();
    EXPECT_EQ(held, 0);
  }
}

TEST(ExecutionGraph, CheckNamesAnUnsentMessage) {
  Plan plan = test::small_plan(layout(1, 1, 2), 1);
  const ExecutionGraph good = build_execution_graph(plan);
  std::vector<Program> programs{good.program(ProgramId(0)), good.program(ProgramId(1))};
  for (Task& task : programs[0].tasks)
    if (kind_word(task) == "send")
      task.work = FixedWork{};
  const ExecutionGraph broken(good.placement(), programs, {ProgramId(0), ProgramId(1)});
  const auto problems = broken.check();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0], "rank 1: receive from stage 0 16384 B, forward, micro-batch 0 is never sent");
}

TEST(ExecutionGraph, CheckNamesACycle) {
  Plan plan = test::small_plan(layout(1, 1, 1), 1);
  const ExecutionGraph good = build_execution_graph(plan);
  std::vector<Program> programs{good.program(ProgramId(0))};
  programs[0].dependencies.push_back({TaskId(5), TaskId(2)});
  const ExecutionGraph broken(good.placement(), programs, {ProgramId(0)});
  const auto problems = broken.check();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("waits for itself in a cycle of 4 tasks"), std::string::npos) << problems[0];
}

TEST(ExecutionGraph, CheckNamesACollectiveThatNotAllReach) {
  Plan plan = test::small_plan(layout(2, 1, 1), 1);
  const ExecutionGraph good = build_execution_graph(plan);
  std::vector<Program> programs{good.program(ProgramId(0)), good.program(ProgramId(0))};
  for (Task& task : programs[1].tasks)
    if (kind_word(task) == "all_reduce")
      std::get<CollectiveWork>(task.work).bytes += ByteCount(1);
  const ExecutionGraph broken(good.placement(), programs, {ProgramId(0), ProgramId(1)});
  EXPECT_FALSE(broken.check().empty());
}

}  // namespace
}  // namespace trainwright::model
