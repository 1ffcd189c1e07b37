// Requests and reports survive the way to the worker and back.
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/request.hpp"

#include <gtest/gtest.h>

#include "simulator/client/report.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::simulator {
namespace {

TEST(Request, ReadsBackAsWritten) {
  SimulationRequest request;
  model::Layout layout;
  layout.tp = 2;
  request.plan = test::small_plan(layout, 4);
  request.estimator = model::EstimatorKind::full;
  request.keep_timeline = true;
  request.timeline_ranks = 3;
  request.slowdowns = {{model::RankId(1), 1.25}};
  request.engine.context_factory = "thread";
  request.engine.fuse = false;
  model::Diagnostics diagnostics;
  const SimulationRequest back = request_from_json(to_request_json(request), "request", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  EXPECT_EQ(back.estimator, request.estimator);
  EXPECT_EQ(back.keep_timeline, request.keep_timeline);
  EXPECT_EQ(back.timeline_ranks, request.timeline_ranks);
  EXPECT_EQ(back.slowdowns, request.slowdowns);
  EXPECT_EQ(back.engine, request.engine);
  EXPECT_EQ(back.plan.model, request.plan.model);
  EXPECT_EQ(back.plan.layout, request.plan.layout);
  EXPECT_EQ(to_request_json(back), to_request_json(request));
}

TEST(Request, NamesEverythingThatIsWrong) {
  model::Diagnostics diagnostics;
  (void)request_from_json(R"({"format": "trainwright/simulation_request/v1", "estimator": "analytic",
                              "keep_timeline": 1, "timeline_ranks": 0, "slowdowns": [{"rank": -1, "factor": 0}],
                              "engine": {}, "plan": {}, "extra": 1})",
                          "request", diagnostics);
  const std::string text = diagnostics.to_text();
  for (const char* path : {"/estimator", "/keep_timeline", "/timeline_ranks", "/slowdowns/0/rank",
                           "/slowdowns/0/factor", "/engine/fuse", "/plan/model", "/extra"})
    EXPECT_NE(text.find(path), std::string::npos) << path << "\n" << text;
}

TEST(Report, ReadsBackAsWritten) {
  SimulationReport report;
  report.estimator = model::EstimatorKind::full;
  report.step = model::Seconds(1.5);
  report.breakdown[0] = 1.25;
  report.breakdown[7] = 0.25;
  report.stage_busy = {model::Seconds(1.0), model::Seconds(0.5)};
  report.assumptions = {"one", "two"};
  report.counts = {1, 2, 3, 4, 5, 6};
  report.engine = "SimGrid 3.32";
  report.settings = {{"network/model", "CM02"}};
  report.timeline =
      model::Timeline{{{model::RankId(3), 2, {{model::TaskId(0), model::Seconds(0.25), model::Seconds(0.5)}}}}};
  model::Diagnostics diagnostics;
  const SimulationReport back = report_from_json(to_report_json(report), "report", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  EXPECT_EQ(to_report_json(back), to_report_json(report));
  EXPECT_EQ(back.counts, report.counts);
  EXPECT_EQ(back.settings, report.settings);
  EXPECT_EQ(back.timeline->ranks.front().represents, 2);
}

}  // namespace
}  // namespace trainwright::simulator
