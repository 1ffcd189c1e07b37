// The worker program as its users see it: a plan in, a report out, and an end in every case.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "model/base/error.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "simulator/client/exit_code.hpp"
#include "simulator/client/simulated_estimator.hpp"
#include "simulator/client/worker_process.hpp"
#include "tests/support/builders.hpp"

namespace trainwright {
namespace {

using namespace std::chrono_literals;
using simulator::SimulatedEstimator;
using simulator::WorkerExit;
using simulator::WorkerRun;
using testing::HasSubstr;

model::Plan plan_of(int tp, int dp, int pp) {
  model::Layout layout;
  layout.tp = tp;
  layout.dp = dp;
  layout.pp = pp;
  return test::small_plan(layout, 2L * pp);
}

WorkerRun run(const std::vector<std::string>& arguments, const std::string& input) {
  return simulator::run_worker(simulator::find_simulation_worker(), arguments, input, {}, {});
}

TEST(Worker, AnswersAPlanWithAReport) {
  simulator::SimulationRequest request;
  request.plan = plan_of(2, 2, 2);
  request.estimator = model::EstimatorKind::full;
  const WorkerRun done = run({}, to_request_json(request));
  EXPECT_EQ(done.errors, "");
  ASSERT_EQ(done.code, 0);
  model::Diagnostics diagnostics;
  const simulator::SimulationReport report = simulator::report_from_json(done.output, "report", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  EXPECT_GT(report.step.count(), 0.0);
  EXPECT_EQ(report.counts.ranks, 8);
  EXPECT_EQ(to_report_json(report), done.output);
}

TEST(Worker, GivesTheSameAnswerTwice) {
  simulator::SimulationRequest request;
  request.plan = plan_of(2, 2, 2);
  request.keep_timeline = true;
  EXPECT_EQ(run({}, to_request_json(request)).output, run({}, to_request_json(request)).output);
}

TEST(Worker, RefusesNonsenseWithCodeTwo) {
  const WorkerRun done = run({}, "{\"format\": \"trainwright/simulation_request/v1\", \"estimator\": \"wishful\"}");
  EXPECT_EQ(done.code, static_cast<int>(WorkerExit::bad_request));
  EXPECT_THAT(done.errors, HasSubstr("request: /estimator: \"wishful\" is not known"));
  EXPECT_THAT(done.errors, HasSubstr("/plan"));
  EXPECT_EQ(done.output, "");
}

TEST(Worker, RefusesAnUnknownOption) {
  const WorkerRun done = run({"--fast"}, "");
  EXPECT_EQ(done.code, static_cast<int>(WorkerExit::bad_request));
  EXPECT_EQ(done.errors, "unknown option --fast; known are --progress and --help\n");
}

TEST(Worker, ExplainsItself) {
  const WorkerRun done = run({"--help"}, "");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.output, HasSubstr("exit codes"));
}

TEST(WorkerProcess, IsKilledAtTheTimeLimit) {
  simulator::WorkerOptions options;
  options.timeout = 50ms;
  const WorkerRun done = simulator::run_worker("/bin/sleep", {"100"}, "", {}, options);
  EXPECT_EQ(done.end, WorkerRun::End::timed_out);
}

TEST(WorkerProcess, IsKilledWhenStopped) {
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  const WorkerRun done = simulator::run_worker("/bin/sleep", {"100"}, "", stop.get_token(), {});
  EXPECT_EQ(done.end, WorkerRun::End::stopped);
}

TEST(WorkerProcess, SurvivesAProgramThatDoesNotRead) {
  const WorkerRun done =
      simulator::run_worker("/bin/sh", {"-c", "exec <&-; echo heard; exit 7"}, std::string(10'000'000, 'x'), {}, {});
  EXPECT_EQ(done.code, 7);
  EXPECT_EQ(done.output, "heard\n");
}

TEST(WorkerProcess, CarriesMoreThanAPipeHoldsBothWays) {
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(simulator::run_worker("/bin/cat", {}, text, {}, {}).output, text);
}

TEST(WorkerProcess, TellsASignalFromAnExit) {
  const WorkerRun done = simulator::run_worker("/bin/sh", {"-c", "kill -ABRT $$"}, "", {}, {});
  EXPECT_EQ(done.end, WorkerRun::End::killed_by_signal);
  EXPECT_EQ(done.code, SIGABRT);
}

TEST(WorkerProcess, PassesProgressOnAndKeepsOtherText) {
  std::vector<double> seen;
  simulator::WorkerOptions options;
  options.progress = [&](double fraction) { seen.push_back(fraction); };
  const WorkerRun done = simulator::run_worker(
      "/bin/sh", {"-c", "echo progress 0.25 >&2; echo odd >&2; echo progress 0.5 >&2"}, "", {}, options);
  EXPECT_EQ(seen, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(done.errors, "odd\n");
}

TEST(WorkerProcess, SaysWhenThereIsNoSuchProgram) {
  EXPECT_THROW((void)simulator::run_worker("/nonexistent/program", {}, "", {}, {}), model::EnvironmentError);
}

TEST(SimulatedEstimators, AgreeWithTheClosedFormWithinThreePercent) {
  model::Plan plan = plan_of(8, 1, 2);
  plan.model = test::small_llama(8, 4096, 32);
  plan.model.max_positions = 2048;
  plan.job.seq_len = 2048;
  const double analytic = model::AnalyticEstimator().estimate(plan, {}, {})->step.count();
  const double folded = SimulatedEstimator(model::EstimatorKind::folded).estimate(plan, {}, {})->step.count();
  const double full = SimulatedEstimator(model::EstimatorKind::full).estimate(plan, {}, {})->step.count();
  EXPECT_NEAR(folded / full, 1.0, 0.01);
  EXPECT_NEAR(analytic / full, 1.0, 0.03);
}

TEST(SimulatedEstimators, CompleteTheirEstimate) {
  const model::Plan plan = plan_of(2, 2, 2);
  simulator::SimulationOptions options;
  options.keep_timeline = true;
  const std::optional<model::Estimate> estimate =
      SimulatedEstimator(model::EstimatorKind::folded, options).estimate(plan, {}, {});
  ASSERT_TRUE(estimate);
  EXPECT_GT(estimate->mfu, 0.0);
  EXPECT_LT(estimate->step_low, estimate->step);
  ASSERT_TRUE(estimate->timeline);
  EXPECT_EQ(estimate->timeline->ranks.size(), 2U);
  EXPECT_EQ(estimate->timeline->ranks.front().represents, 4);
  EXPECT_THAT(estimate->assumptions, testing::Contains(HasSubstr("folded: 2 classes stand for 8 ranks")));
}

TEST(SimulatedEstimators, YieldNothingWhenStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(SimulatedEstimator(model::EstimatorKind::full).estimate(plan_of(1, 1, 1), stop.get_token(), {}));
}

TEST(SimulatedEstimators, SayWhichProgramIsMissing) {
  simulator::SimulationOptions options;
  options.worker = "/nonexistent/trainwright-simulate";
  EXPECT_THROW((void)SimulatedEstimator(model::EstimatorKind::full, options).estimate(plan_of(1, 1, 1), {}, {}),
               model::EnvironmentError);
}

}  // namespace
}  // namespace trainwright
