// SPDX-License-Identifier: Apache-2.0
#include "gui/session/job.hpp"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>
#include <future>
#include <stdexcept>

#include "model/base/error.hpp"

namespace trainwright::gui {
namespace {

using Work = std::function<std::optional<int>(std::stop_token, const model::Progress&)>;

struct Outcome {
  std::vector<int> results;
  std::vector<QString> failures;
};

int start(JobRunner& runner, Outcome& outcome, Work work, JobKind kind = JobKind::simulation) {
  return runner.start<int>(
      kind, std::move(work), [&outcome](std::shared_ptr<const int> result) { outcome.results.push_back(*result); },
      [&outcome](const QString& message) { outcome.failures.push_back(message); });
}

/// Returns once the job was asked to stop.
std::optional<int> untilStopped(const std::stop_token& stop, int result) {
  std::promise<void> stopped;
  const std::stop_callback callback(stop, [&stopped] { stopped.set_value(); });
  stopped.get_future().wait();
  return result;
}

TEST(JobRunner, DeliversTheResultInItsOwnThread) {
  JobRunner runner;
  Outcome outcome;
  start(runner, outcome, [](std::stop_token, const model::Progress&) { return std::optional(7); });
  EXPECT_TRUE(runner.isRunning(JobKind::simulation));
  EXPECT_TRUE(outcome.results.empty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !outcome.results.empty(); }));
  EXPECT_EQ(outcome.results, std::vector{7});
  EXPECT_FALSE(runner.isRunning(JobKind::simulation));
}

TEST(JobRunner, DropsTheLateResultOfACancelledJob) {
  JobRunner runner;
  Outcome outcome;
  std::promise<void> ended;
  start(runner, outcome, [&ended](std::stop_token stop, const model::Progress&) {
    const std::optional<int> late = untilStopped(stop, 1);
    ended.set_value();
    return late;
  });
  runner.cancel(JobKind::simulation);
  EXPECT_FALSE(runner.isRunning(JobKind::simulation));
  ended.get_future().wait();
  // A job started afterwards is delivered after whatever the first one had queued.
  start(runner, outcome, [](std::stop_token, const model::Progress&) { return std::optional(2); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return !outcome.results.empty(); }));
  EXPECT_EQ(outcome.results, std::vector{2});
}

TEST(JobRunner, ASecondJobOfAKindSupersedesTheFirst) {
  JobRunner runner;
  Outcome outcome;
  const int first =
      start(runner, outcome, [](std::stop_token stop, const model::Progress&) { return untilStopped(stop, 1); });
  const int second = start(runner, outcome, [](std::stop_token, const model::Progress&) { return std::optional(2); });
  EXPECT_LT(first, second);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.isRunning(JobKind::simulation); }));
  EXPECT_EQ(outcome.results, std::vector{2});
}

TEST(JobRunner, JobsOfDifferentKindsRunBesideEachOther) {
  JobRunner runner;
  Outcome outcome;
  start(runner, outcome, [](std::stop_token stop, const model::Progress&) { return untilStopped(stop, 1); });
  start(
      runner, outcome, [](std::stop_token, const model::Progress&) { return std::optional(2); }, JobKind::prediction);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !outcome.results.empty(); }));
  EXPECT_EQ(outcome.results, std::vector{2});
  EXPECT_TRUE(runner.isRunning(JobKind::simulation));
}

TEST(JobRunner, AnExceptionBecomesAMessage) {
  JobRunner runner;
  Outcome outcome;
  start(runner, outcome, [](std::stop_token, const model::Progress&) -> std::optional<int> {
    throw model::EnvironmentError("cannot start trainwright-simulate", "build it");
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return !outcome.failures.empty(); }));
  EXPECT_EQ(outcome.failures.front(), QStringLiteral("cannot start trainwright-simulate; build it"));
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_FALSE(runner.isRunning(JobKind::simulation));
}

TEST(JobRunner, AStoppedJobDeliversNothing) {
  JobRunner runner;
  Outcome outcome;
  start(runner, outcome, [](std::stop_token, const model::Progress&) -> std::optional<int> { return std::nullopt; });
  ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.isRunning(JobKind::simulation); }));
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_TRUE(outcome.failures.empty());
}

TEST(JobRunner, ProgressIsSeenWhileTheJobRuns) {
  JobRunner runner;
  Outcome outcome;
  start(runner, outcome, [](std::stop_token stop, const model::Progress& progress) {
    progress(0.5);
    return untilStopped(stop, 1);
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return runner.jobs().front().progress > 0.0; }));
  const JobStatus status = runner.jobs().front();
  EXPECT_DOUBLE_EQ(status.progress, 0.5);
  ASSERT_TRUE(status.secondsLeft);
  EXPECT_DOUBLE_EQ(*status.secondsLeft, status.secondsElapsed);
}

TEST(JobRunner, DestructionStopsWhatRuns) {
  Outcome outcome;
  std::atomic<bool> ended = false;
  {
    JobRunner runner;
    start(runner, outcome, [&ended](std::stop_token stop, const model::Progress&) {
      const std::optional<int> result = untilStopped(stop, 1);
      ended = true;
      return result;
    });
  }
  EXPECT_TRUE(ended);
  QCoreApplication::processEvents();
  EXPECT_TRUE(outcome.results.empty());
}

}  // namespace
}  // namespace trainwright::gui
