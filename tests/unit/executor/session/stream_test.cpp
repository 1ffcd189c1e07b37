// Streams and dependencies with a runner that only notes what it is asked to do.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "executor/session/stream_session.hpp"

namespace trainwright::executor {
namespace {

using model::Dependency;
using model::Stream;
using model::TaskId;

model::Program program_of(const std::vector<Stream>& streams, std::vector<Dependency> dependencies) {
  model::Program program;
  for (const Stream stream : streams) {
    model::Task task;
    task.stream = stream;
    program.tasks.push_back(task);
  }
  program.dependencies = std::move(dependencies);
  return program;
}

class FunctionRunner : public TaskRunner {
 public:
  std::function<void(TaskId)> on_run = [](TaskId) {};
  std::function<void()> on_abort = [] {};
  void run(TaskId task) override { on_run(task); }
  void abort() noexcept override { on_abort(); }
};

// A door that a test opens; waiting has a limit, so that a broken session fails instead of hanging.
class Door {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

TEST(StreamSchedule, CountsOnlyDependenciesBetweenStreams) {
  const StreamSchedule schedule(
      program_of({Stream::compute, Stream::compute, Stream::data, Stream::compute}, {{TaskId(0), TaskId(1)},
                                                                                     {TaskId(0), TaskId(2)},
                                                                                     {TaskId(1), TaskId(2)},
                                                                                     {TaskId(2), TaskId(3)},
                                                                                     {TaskId(0), TaskId(3)}}));
  ASSERT_EQ(schedule.lanes().size(), 2U);
  EXPECT_EQ(schedule.lanes()[0].tasks, (std::vector<TaskId>{TaskId(0), TaskId(1), TaskId(3)}));
  EXPECT_EQ(schedule.lanes()[1].tasks, (std::vector<TaskId>{TaskId(2)}));
  EXPECT_EQ(schedule.waits(TaskId(1)), 0U);
  EXPECT_EQ(schedule.waits(TaskId(2)), 2U);
  EXPECT_EQ(schedule.waits(TaskId(3)), 1U);
  EXPECT_EQ(schedule.released_by(TaskId(0)).size(), 1U);
  EXPECT_EQ(schedule.released_by(TaskId(2)).front(), TaskId(3));
}

TEST(StreamSession, KeepsOrderAndDependencies) {
  FunctionRunner runner;
  const std::vector<Dependency> dependencies{{TaskId(0), TaskId(1)},
                                             {TaskId(1), TaskId(2)},
                                             {TaskId(2), TaskId(3)},
                                             {TaskId(0), TaskId(4)},
                                             {TaskId(4), TaskId(3)}};
  StreamSession session(
      StreamSchedule(
          program_of({Stream::compute, Stream::data, Stream::compute, Stream::tensor, Stream::data}, dependencies)),
      runner);
  std::vector<TaskStamp> stamps;
  for (int step = 0; step < 200; ++step) {
    const SteadyNs start = steady_now();
    session.run_step(start, stamps);
    ASSERT_EQ(stamps.size(), 5U);
    for (const Dependency& d : dependencies)
      ASSERT_LE(stamps[d.before.index()].end, stamps[d.after.index()].start);
    ASSERT_LE(stamps[1].end, stamps[4].start);  // both on the data stream
    ASSERT_GE(stamps[0].start, start);
  }
}

TEST(StreamSession, RunsEveryTaskOnceAStep) {
  std::vector<std::atomic<int>> runs(4);
  FunctionRunner runner;
  runner.on_run = [&](TaskId task) { ++runs[task.index()]; };
  StreamSession session(
      StreamSchedule(program_of({Stream::compute, Stream::data, Stream::tensor, Stream::compute}, {})), runner);
  std::vector<TaskStamp> stamps;
  for (int step = 0; step < 3; ++step)
    session.run_step(steady_now(), stamps);
  for (const auto& count : runs)
    EXPECT_EQ(count, 3);
}

// Each task can only end while the other runs: the streams really run side by side.
TEST(StreamSession, StreamsRunAtTheSameTime) {
  std::array<Door, 2> started;
  std::atomic<int> met{0};
  FunctionRunner runner;
  runner.on_run = [&](TaskId task) {
    started[task.index()].open();
    met += started[1 - task.index()].wait() ? 1 : 0;
  };
  StreamSession session(StreamSchedule(program_of({Stream::compute, Stream::data}, {})), runner);
  std::vector<TaskStamp> stamps;
  session.run_step(steady_now(), stamps);
  EXPECT_EQ(met, 2);
}

TEST(StreamSession, NothingStartsBeforeTheCommonStart) {
  FunctionRunner runner;
  StreamSession session(StreamSchedule(program_of({Stream::compute, Stream::data}, {})), runner);
  std::vector<TaskStamp> stamps;
  const SteadyNs start = steady_now() + 20'000'000;
  session.run_step(start, stamps);
  for (const TaskStamp& stamp : stamps)
    EXPECT_GE(stamp.start, start);
}

TEST(StreamSession, RethrowsTheFirstFailureAndStopsTheOthers) {
  Door aborted;
  std::atomic<bool> later_ran{false};
  FunctionRunner runner;
  runner.on_abort = [&] { aborted.open(); };
  runner.on_run = [&](TaskId task) {
    if (task == TaskId(0))
      throw std::runtime_error("task 0 broke");
    if (task == TaskId(1)) {
      EXPECT_TRUE(aborted.wait());  // a blocking operation that abort() ends, with an error of its own
      throw std::runtime_error("aborted");
    }
    later_ran = true;
  };
  // 2 waits for 0, which never ends; 3 comes after 1, which fails.
  StreamSession session(StreamSchedule(program_of({Stream::compute, Stream::data, Stream::tensor, Stream::data},
                                                  {{TaskId(0), TaskId(2)}})),
                        runner);
  std::vector<TaskStamp> stamps;
  try {
    session.run_step(steady_now(), stamps);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "task 0 broke");
  }
  EXPECT_FALSE(later_ran);
}

TEST(StreamSession, AnEmptyProgramEndsAtOnce) {
  FunctionRunner runner;
  StreamSession session(StreamSchedule(model::Program{}), runner);
  std::vector<TaskStamp> stamps{{1, 2}};
  session.run_step(steady_now(), stamps);
  EXPECT_TRUE(stamps.empty());
}

}  // namespace
}  // namespace trainwright::executor
