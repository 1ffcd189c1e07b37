// trainwright-execute run, from a plan file to measurement.json, on real processes and sockets.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/base/diagnostic.hpp"
#include "model/io/file.hpp"
#include "model/io/json_reader.hpp"
#include "model/io/measurement_v1.hpp"
#include "tests/execution/executed_graph.hpp"
#include "tests/execution/program_run.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::test {
namespace {

using namespace model;

class ExecutedLayouts : public ::testing::TestWithParam<Layout> {};

TEST_P(ExecutedLayouts, RecordEveryTaskOnceAStepInOrder) {
  const TemporaryFolder folder;
  const Plan plan = small_plan(GetParam(), 2);
  const Measurement measurement = run_plan(TRAINWRIGHT_EXECUTE_PROGRAM, "gloo", plan, 3, folder.path());
  ASSERT_EQ(measurement.runs.size(), 1U);
  EXPECT_EQ(measurement.environment.backend, "gloo");
  EXPECT_EQ(measurement.runs[0].name, "small");
  for (const std::int64_t peak : measurement.runs[0].peak_memory_bytes)
    EXPECT_GT(peak, 1'000'000);
  expect_graph_was_executed(build_execution_graph(plan), measurement.runs[0], 3);
}

INSTANTIATE_TEST_SUITE_P(Small, ExecutedLayouts,
                         ::testing::Values(Layout{}, Layout{.dp = 2}, Layout{.tp = 2}, Layout{.pp = 2},
                                           Layout{.dp = 2, .pp = 2}),
                         [](const auto& test) {
                           return "Dp" + std::to_string(test.param.dp) + "Tp" + std::to_string(test.param.tp) + "Pp" +
                                  std::to_string(test.param.pp);
                         });

// Forms of parallelism inside a layer: gathers and scatters, messages around a ring, exchanges of heads and of tokens,
// work done again.
class ExecutedForms : public ::testing::TestWithParam<Layout> {};

TEST_P(ExecutedForms, RecordEveryTaskOnceAStepInOrder) {
  const TemporaryFolder folder;
  Plan plan = small_plan(GetParam(), 1);
  if (GetParam().ep * GetParam().etp > 1)
    plan.model = small_moe(2);
  ASSERT_EQ(check_plan(plan, "").to_text(), "");
  const Measurement measurement = run_plan(TRAINWRIGHT_EXECUTE_PROGRAM, "gloo", plan, 2, folder.path());
  ASSERT_EQ(measurement.runs.size(), 1U);
  expect_graph_was_executed(build_execution_graph(plan), measurement.runs[0], 2);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExecutedForms,
    ::testing::Values(Layout{.tp = 2, .sequence_parallel = true}, Layout{.cp = 2},
                      Layout{.cp = 2, .cp_kind = ContextKind::ulysses}, Layout{.dp = 2, .ep = 2},
                      Layout{.tp = 2, .etp = 2, .sequence_parallel = true, .recompute = Recompute::full}),
    [](const auto& test) { return "Form" + std::to_string(test.index); });

TEST(Execution, WritesATraceWithEveryTask) {
  const TemporaryFolder folder;
  const Plan plan = small_plan(Layout{.dp = 2}, 1);
  static_cast<void>(run_plan(TRAINWRIGHT_EXECUTE_PROGRAM, "gloo", plan, 2, folder.path()));
  Diagnostics diagnostics;
  const std::string text = read_file(folder.path() / "run" / "trace.json", diagnostics);
  auto document = JsonDocument::parse(text, "trace.json", diagnostics);
  ASSERT_TRUE(document) << diagnostics.to_text();
  std::int64_t slices = 0;
  JsonObject root = document->root(diagnostics);
  for (JsonObject& event : root.objects("traceEvents")) {
    if (event.string("ph") != "X")
      continue;
    ++slices;
    EXPECT_GE(event.number("ts"), 0.0);
    EXPECT_GE(event.number("dur"), 0.0);
  }
  EXPECT_EQ(slices, 2 * build_execution_graph(plan).task_count());
}

TEST(Execution, CommunicationOverlapsCompute) {
  const TemporaryFolder folder;
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE,
                 {"run", "--plan", "overlap", "--steps", "3", "--warmup", "1", "--run-dir", folder.path().string()});
  ASSERT_EQ(run.wait(), 0) << run.errors();
  Diagnostics diagnostics;
  const auto measurement = measurement_from_json(read_file(folder.path() / "measurement.json", diagnostics),
                                                 "measurement.json", diagnostics);
  ASSERT_TRUE(measurement) << diagnostics.to_text();
  // Both at once in some step at least: on a busy machine a thread may come late in others.
  for (const auto& records : measurement->runs[0].tasks) {
    int overlapping = 0;
    for (std::size_t step = 0; step < 3; ++step)
      overlapping +=
          records[1].start_s[step] < end_of(records[0], step) && records[0].start_s[step] < end_of(records[1], step)
              ? 1
              : 0;
    EXPECT_GT(overlapping, 0);
  }
}

}  // namespace
}  // namespace trainwright::test
