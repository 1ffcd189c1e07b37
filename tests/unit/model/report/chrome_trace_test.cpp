// SPDX-License-Identifier: Apache-2.0
#include "model/io/chrome_trace.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

Timeline one_interval_each(const ExecutionGraph& graph) {
  Timeline timeline;
  for (int r = 0; r < graph.rank_count(); ++r) {
    RankTimeline lane;
    lane.rank = RankId(r);
    lane.represents = r == 0 ? 3 : 1;
    double now = 0.0;
    for (std::size_t task = 0; task < graph.program_of_rank(lane.rank).tasks.size(); ++task) {
      lane.intervals.push_back({TaskId(task), Seconds(now), Seconds(now + 1.5e-6)});
      now += 2e-6;
    }
    timeline.ranks.push_back(lane);
  }
  return timeline;
}

TEST(ChromeTrace, HasAProcessARankAThreadAStreamAndAnEventATask) {
  const ExecutionGraph graph = build_execution_graph(test::small_plan({.dp = 1, .tp = 2, .pp = 2}, 2));
  const auto trace = nlohmann::json::parse(to_chrome_trace_json(one_interval_each(graph), graph, "simulated \"x\""));
  EXPECT_EQ(trace.at("otherData").at("title"), "simulated \"x\"");
  std::int64_t tasks = 0;
  std::set<std::string> processes;
  std::set<std::pair<int, int>> named;
  std::set<std::pair<int, int>> used;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("name") == "process_name")
      processes.insert(event.at("args").at("name").get<std::string>());
    if (event.at("name") == "thread_name")
      named.insert({event.at("pid").get<int>(), event.at("tid").get<int>()});
    if (event.at("ph") != "X")
      continue;
    ++tasks;
    used.insert({event.at("pid").get<int>(), event.at("tid").get<int>()});
    EXPECT_DOUBLE_EQ(event.at("dur").get<double>(), 1.5);
  }
  EXPECT_EQ(tasks, graph.task_count());
  EXPECT_EQ(named, used);
  EXPECT_EQ(processes, (std::set<std::string>{"rank 0, stage 0 (stands for 3 ranks)", "rank 1, stage 0",
                                              "rank 2, stage 1", "rank 3, stage 1"}));
}

TEST(ChromeTrace, AnEmptyTimelineIsStillATrace) {
  const ExecutionGraph graph = build_execution_graph(test::small_plan({.dp = 1}, 1));
  EXPECT_TRUE(nlohmann::json::parse(to_chrome_trace_json({}, graph, "none")).at("traceEvents").empty());
}

}  // namespace
}  // namespace trainwright::model
