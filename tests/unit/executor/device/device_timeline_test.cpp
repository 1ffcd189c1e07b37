// The device timeline on the double: order across streams without the host, times on the host's clock, and what it says
// when nothing goes on.
// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_timeline.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "executor/device/device_engine.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace trainwright::executor {
namespace {

using model::Stream;
using model::TaskId;

constexpr SteadyNs kMillisecond = 1'000'000;
// Between the clocks, on a busy machine.
constexpr SteadyNs kSlack = 5 * kMillisecond;

// Reports a failure where it is told to.
class QuietBackend final : public Backend {
 public:
  [[nodiscard]] Capabilities capabilities() const override { return {"none", BufferPlace::device, {}}; }
  [[nodiscard]] std::unique_ptr<Communicator> join(const GroupOptions&) override { return nullptr; }
  void abort() noexcept override {}
  void check() override {
    if (!failure.empty())
      throw CommunicationError(failure);
  }
  std::string failure;
};

model::Task waits(double seconds, Stream stream) {
  model::Task task;
  task.stream = stream;
  task.work = model::FixedWork{model::Seconds(seconds)};
  return task;
}

class Timeline : public ::testing::Test {
 protected:
  void SetUp() override { test::current_device() = 0; }

  std::unique_ptr<TaskTimeline> make(std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    engine = make_device_engine(program, queues);
    return make_device_timeline(program, model::RankId(3), queues, backend, timeout);
  }
  void give(TaskTimeline& timeline, int task) {
    stamps[static_cast<std::size_t>(task)].start = steady_now();
    timeline.begin(TaskId(task));
    engine->run(program.tasks[static_cast<std::size_t>(task)]);
    timeline.end(TaskId(task));
    stamps[static_cast<std::size_t>(task)].end = steady_now();
  }

  test::DeviceDouble device;
  std::shared_ptr<const DeviceQueues> queues = std::make_shared<const DeviceQueues>(device.api(), 0);
  QuietBackend backend;
  model::Program program;
  std::unique_ptr<ComputeEngine> engine;
  std::vector<TaskStamp> stamps = std::vector<TaskStamp>(3);
};

TEST_F(Timeline, DependenciesHoldOnTheDeviceAndTheHostDoesNotWait) {
  program.tasks = {waits(0.2, Stream::compute), waits(0.02, Stream::data), waits(0.01, Stream::compute)};
  program.dependencies = {{TaskId(0), TaskId(1)}};
  const auto timeline = make();
  for (int step = 0; step < 2; ++step) {
    timeline->begin_step();
    const SteadyNs begin = steady_now();
    for (int task = 0; task < 3; ++task)
      give(*timeline, task);
    const SteadyNs given = steady_now();
    timeline->finish_step(stamps);
    EXPECT_LT(given, stamps[1].start);
    const SteadyNs end = steady_now();
    EXPECT_GE(stamps[0].start, begin);
    EXPECT_LE(stamps[1].end, end + kSlack);
    EXPECT_GE(stamps[0].end - stamps[0].start, 195 * kMillisecond);
    EXPECT_GE(stamps[1].end - stamps[1].start, 18 * kMillisecond);
    EXPECT_GE(stamps[1].start, stamps[0].end);  // by the dependency
    EXPECT_GE(stamps[2].start, stamps[0].end);  // by the stream
    EXPECT_LT(stamps[2].start, stamps[1].end);  // nothing orders these two
  }
}

TEST_F(Timeline, TheHostCanWaitForItsTurn) {
  program.tasks = {waits(0.03, Stream::compute), waits(0.0, Stream::host_io)};
  program.dependencies = {{TaskId(0), TaskId(1)}};
  const auto timeline = make();
  timeline->begin_step();
  const SteadyNs begin = steady_now();
  give(*timeline, 0);
  timeline->begin(TaskId(1));
  timeline->wait_until_free(TaskId(1));
  EXPECT_GE(steady_now() - begin, 29 * kMillisecond);
  timeline->end(TaskId(1));
  stamps.resize(2);
  timeline->finish_step(stamps);
}

TEST_F(Timeline, NamesTheTaskThatDoesNotEnd) {
  program.tasks = {waits(0.5, Stream::compute)};
  const auto timeline = make(std::chrono::milliseconds(100));
  timeline->begin_step();
  give(*timeline, 0);
  stamps.resize(1);
  try {
    timeline->finish_step(stamps);
    FAIL();
  } catch (const CommunicationError& error) {
    EXPECT_STREQ(error.what(), "rank 3, task 0 (fixed, forward): not done after 100 ms");
  }
}

TEST_F(Timeline, PassesFailuresOfTheBackendOn) {
  program.tasks = {waits(0.2, Stream::compute)};
  const auto timeline = make();
  timeline->begin_step();
  give(*timeline, 0);
  stamps.resize(1);
  backend.failure = "gone";
  try {
    timeline->finish_step(stamps);
    FAIL();
  } catch (const CommunicationError& error) {
    EXPECT_STREQ(error.what(), "rank 3, task 0 (fixed, forward): gone");
  }
}

}  // namespace
}  // namespace trainwright::executor
