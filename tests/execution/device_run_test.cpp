// Whole plans through the NCCL backend, on the double of CUDA, cuBLASLt and NCCL with ranks as processes; and what is
// said when devices, calls or ranks fail.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include "model/base/diagnostic.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "tests/execution/executed_graph.hpp"
#include "tests/execution/program_run.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::test {
namespace {

using namespace model;
using std::chrono::steady_clock;

// Each rank finds its device's clock by looking at the host's before and after; a busy machine may come between.
constexpr double kDeviceClockSlack = 5e-3;

class DeviceLayouts : public ::testing::TestWithParam<Layout> {};

// The tasks of a plan are the simulator's tasks: the graph is one. Collectives deliver exact sums, or the run fails.
TEST_P(DeviceLayouts, ExecuteTheTasksThatAreSimulated) {
  const TemporaryFolder folder;
  Plan plan = small_plan(GetParam(), 2);
  plan.model = small_gpt(2);
  plan.job.seq_len = 64;
  if (GetParam().ep > 1)
    plan.model = small_moe(2);
  ASSERT_FALSE(check_plan(plan, "").has_errors()) << check_plan(plan, "").to_text();
  const Measurement measurement = run_plan(TRAINWRIGHT_DEVICE_DOUBLE, "nccl", plan, 1, folder.path(), 0);
  ASSERT_EQ(measurement.runs.size(), 1U);
  EXPECT_EQ(measurement.environment.backend, "nccl");
  for (const std::int64_t peak : measurement.runs[0].peak_memory_bytes)
    EXPECT_GT(peak, 1'000'000);
  expect_graph_was_executed(build_execution_graph(plan), measurement.runs[0], 1, kDeviceClockSlack);
}

INSTANTIATE_TEST_SUITE_P(Small, DeviceLayouts,
                         ::testing::Values(Layout{}, Layout{.dp = 2}, Layout{.tp = 2}, Layout{.pp = 2},
                                           Layout{.dp = 2, .zero = 3}, Layout{.tp = 2, .sequence_parallel = true},
                                           Layout{.cp = 2}, Layout{.cp = 2, .cp_kind = ContextKind::ulysses},
                                           Layout{.dp = 2, .ep = 2}, Layout{.dp = 2, .pp = 2}),
                         [](const auto& test) { return "Form" + std::to_string(test.index); });

class DeviceFailure : public ::testing::Test {
 protected:
  /// Runs the word "slow" on two ranks; gives the exit code.
  int run(const std::vector<std::pair<std::string, std::string>>& environment, const std::string& plan = "slow",
          const std::string& timeout = "30") {
    program.emplace(TRAINWRIGHT_DEVICE_DOUBLE,
                    std::vector<std::string>{"run", "--plan", plan, "--backend", "nccl", "--steps", "1000", "--warmup",
                                             "0", "--timeout", timeout, "--run-dir", run_dir},
                    environment);
    return program->wait().value_or(-1);
  }
  int run_with(const std::string& fault, const std::string& timeout = "30") {
    return run({{"TRAINWRIGHT_TEST_DEVICE_FAULT", fault}}, "slow", timeout);
  }
  [[nodiscard]] bool says(const std::string& text) const { return program->errors().find(text) != std::string::npos; }
  [[nodiscard]] std::vector<pid_t> ranks() const { return processes_with({"rank", run_dir}); }

  TemporaryFolder folder;
  std::string run_dir = folder.path().string();
  std::optional<ProgramRun> program;
};

TEST_F(DeviceFailure, NoGpuIsSaid) {
  EXPECT_EQ(run({{"TRAINWRIGHT_TEST_DEVICES", "0"}}), 3);
  EXPECT_EQ(program->errors(),
            "no GPU is visible to CUDA on this machine; `trainwright doctor` says what is missing; --backend gloo runs "
            "the same plan on CPU cores\n");
}

TEST_F(DeviceFailure, TooFewGpusAreSaid) {
  EXPECT_EQ(run({{"TRAINWRIGHT_TEST_DEVICES", "1"}}), 3);
  EXPECT_EQ(program->errors(),
            "the plan has 2 ranks, and this machine has 1 GPU: NCCL wants one for each rank; plan for 1, or --backend "
            "gloo runs the same plan on CPU cores\n");
}

TEST_F(DeviceFailure, AnotherBackendIsNotBuiltIn) {
  program.emplace(TRAINWRIGHT_DEVICE_DOUBLE, std::vector<std::string>{"run", "--plan", "slow", "--backend", "gloo"});
  EXPECT_EQ(program->wait(), 3);
  EXPECT_TRUE(says("the gloo backend is not built into this program, which has: nccl; ")) << program->errors();
  program.emplace(TRAINWRIGHT_DEVICE_DOUBLE, std::vector<std::string>{"run", "--plan", "slow", "--backend", "mpi"});
  EXPECT_EQ(program->wait(), 2);
  EXPECT_EQ(program->errors(), "command line: --backend: \"mpi\" is not a backend; allowed: auto, gloo, nccl\n");
}

TEST_F(DeviceFailure, MemoryThatIsNotThereIsNamedByItsCall) {
  EXPECT_EQ(run_with("1/cudaMalloc:3:fail:2"), 3);
  EXPECT_TRUE(says("rank 1 exited with code 3 while connecting")) << program->errors();
  EXPECT_TRUE(says("cudaMalloc: out of memory (code 2)")) << program->errors();
  EXPECT_TRUE(ranks().empty());
}

// Calls of ncclAllReduce by a rank: the barrier before the verification step, its task, the barrier before the first
// step and so on.
TEST_F(DeviceFailure, ARefusedCollectiveNamesTaskCallAndCode) {
  EXPECT_EQ(run_with("1/ncclAllReduce:2:fail:2"), 3);
  EXPECT_TRUE(
      says("rank 1 exited with code 3 while verifying: rank 1, task 1 (all_reduce data 4000 B, gradient_sync): "
           "all_reduce in group data-stream.data.0 (ranks 0, 1): ncclAllReduce: unhandled system error (code 2)"))
      << program->errors();
  EXPECT_TRUE(ranks().empty());
}

TEST_F(DeviceFailure, AFailureInTheBackgroundIsFound) {
  const auto start = steady_clock::now();
  EXPECT_EQ(run_with("1/ncclAllReduce:4:async:2", "100"), 3);
  EXPECT_TRUE(
      says("rank 1, task 1 (all_reduce data 4000 B, gradient_sync): an operation in group "
           "data-stream.data.0 (ranks 0, 1): NCCL: unhandled system error (code 2)"))
      << program->errors();
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(50));
}

TEST_F(DeviceFailure, AHungCollectiveIsAbortedInTime) {
  const auto start = steady_clock::now();
  EXPECT_EQ(run_with("1/ncclAllReduce:4:hang", "2"), 3);
  EXPECT_TRUE(says("task 1 (all_reduce data 4000 B, gradient_sync): not done after 2 s")) << program->errors();
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_TRUE(ranks().empty());
}

TEST_F(DeviceFailure, WrongDataIsFoundBeforeMeasuring) {
  EXPECT_EQ(run_with("1/ncclAllReduce:2:wrong"), 3);
  EXPECT_TRUE(
      says("rank 1 exited with code 3 while verifying: rank 1, task 1 (all_reduce data 4000 B, gradient_sync): "
           "wrong result in group data-stream.data.0: element 500 is "))
      << program->errors();
}

TEST_F(DeviceFailure, AKernelThatFailsNamesItsCall) {
  EXPECT_EQ(run_with("0/wait_for:1:fail:700"), 3);
  EXPECT_TRUE(says("rank 0, task 0 (fixed, forward): wait_for: ")) << program->errors();
}

TEST_F(DeviceFailure, ARankThatDiesIsNamed) {
  EXPECT_EQ(run_with("1/ncclAllReduce:4:die"), 3);
  EXPECT_TRUE(says("rank 1 was killed by signal 9 (KILL) while measuring")) << program->errors();
  EXPECT_TRUE(ranks().empty());
}

TEST_F(DeviceFailure, AStoppedRankIsFoundByTheTimeOut) {
  program.emplace(TRAINWRIGHT_DEVICE_DOUBLE,
                  std::vector<std::string>{"run", "--plan", "slow", "--steps", "1000", "--warmup", "0", "--timeout",
                                           "2", "--run-dir", run_dir});
  ASSERT_TRUE(program->wait_for_line("\"event\":\"step\"")) << program->errors();
  ::kill(processes_with({"rank", run_dir, "--rank 1"}).at(0), SIGSTOP);
  EXPECT_EQ(program->wait(), 3);
  EXPECT_TRUE(says("rank 0 exited with code 3 while measuring")) << program->errors();
  EXPECT_TRUE(says("not done after 2 s")) << program->errors();
  EXPECT_TRUE(ranks().empty());
}

TEST(DeviceExecution, CommunicationOverlapsCompute) {
  const TemporaryFolder folder;
  ProgramRun run(TRAINWRIGHT_DEVICE_DOUBLE,
                 {"run", "--plan", "overlap", "--steps", "3", "--warmup", "1", "--run-dir", folder.path().string()});
  ASSERT_EQ(run.wait(), 0) << run.errors();
  Diagnostics diagnostics;
  const auto measurement = measurement_from_json(read_file(folder.path() / "measurement.json", diagnostics),
                                                 "measurement.json", diagnostics);
  ASSERT_TRUE(measurement) << diagnostics.to_text();
  for (const auto& records : measurement->runs[0].tasks) {
    int overlapping = 0;
    for (std::size_t step = 0; step < 3; ++step) {
      EXPECT_GE(records[0].duration_s[step], 0.2);
      overlapping += end_of(records[1], step) < end_of(records[0], step) ? 1 : 0;
    }
    EXPECT_GT(overlapping, 0);
  }
}

}  // namespace
}  // namespace trainwright::test
