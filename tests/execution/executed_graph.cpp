// SPDX-License-Identifier: Apache-2.0
#include "tests/execution/executed_graph.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "model/base/diagnostic.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/plan_v1.hpp"
#include "tests/execution/program_run.hpp"

namespace trainwright::test {

using namespace model;

Measurement run_plan(const std::string& program, const std::string& backend, const Plan& plan, int steps,
                     const std::filesystem::path& folder, int warmup) {
  const std::filesystem::path plan_file = folder / "small.json";
  write_file_atomically(plan_file, to_plan_json(plan));
  ProgramRun run(program, {"run", "--plan", plan_file.string(), "--backend", backend, "--steps", std::to_string(steps),
                           "--warmup", std::to_string(warmup), "--run-dir", (folder / "run").string()});
  EXPECT_EQ(run.wait(), 0) << run.errors();
  EXPECT_NE(run.output().find("\"event\":\"done\""), std::string::npos) << run.output();
  Diagnostics diagnostics;
  const std::string text = read_file(folder / "run" / "measurement.json", diagnostics);
  auto measurement = measurement_from_json(text, "measurement.json", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_text();
  return measurement.value_or(Measurement{});
}

double end_of(const TaskRecord& record, std::size_t step) {
  return record.start_s[step] + record.duration_s[step];
}

void expect_graph_was_executed(const ExecutionGraph& graph, const ExecutedRun& run, std::size_t steps,
                               double clock_slack) {
  ASSERT_EQ(run.step_s.size(), steps);
  ASSERT_EQ(run.tasks.size(), static_cast<std::size_t>(graph.rank_count()));
  using Meeting = std::tuple<GroupAxis, Stream, RankId, std::size_t>;
  std::map<Meeting, std::vector<const TaskRecord*>> meetings;
  for (int r = 0; r < graph.rank_count(); ++r) {
    const RankId rank(r);
    const Program& program = graph.program_of_rank(rank);
    const std::vector<TaskRecord>& records = run.tasks[rank.index()];
    ASSERT_EQ(records.size(), program.tasks.size()) << "rank " << r;
    std::map<Stream, std::size_t> previous;
    std::map<std::pair<GroupAxis, Stream>, std::size_t> position;
    for (std::size_t i = 0; i < records.size(); ++i) {
      ASSERT_EQ(records[i].task, TaskId(i));
      ASSERT_EQ(records[i].start_s.size(), steps);
      ASSERT_EQ(records[i].duration_s.size(), steps);
      const Stream stream = program.tasks[i].stream;
      for (std::size_t step = 0; step < steps; ++step) {
        EXPECT_GE(records[i].start_s[step], 0.0);
        EXPECT_GE(records[i].duration_s[step], 0.0);
        EXPECT_LE(end_of(records[i], step), run.step_s[step] + clock_slack);
        if (previous.count(stream) != 0) {
          EXPECT_LE(end_of(records[previous[stream]], step), records[i].start_s[step] + clock_slack);
        }
      }
      previous[stream] = i;
      if (const auto* work = std::get_if<CollectiveWork>(&program.tasks[i].work))
        meetings[{work->axis, stream, graph.placement().group(rank, work->axis).front(),
                  position[{work->axis, stream}]++}]
            .push_back(&records[i]);
    }
    for (const Dependency& d : program.dependencies)
      for (std::size_t step = 0; step < steps; ++step)
        EXPECT_LE(end_of(records[d.before.index()], step), records[d.after.index()].start_s[step] + clock_slack);
  }
  // No member of an all-reduce can be done before the last has come.
  for (const auto& [meeting, members] : meetings)
    for (std::size_t step = 0; step < steps; ++step)
      for (const TaskRecord* early : members)
        for (const TaskRecord* late : members)
          EXPECT_GE(end_of(*early, step) + clock_slack, late->start_s[step]);
}

}  // namespace trainwright::test
