// What trainwright-execute does when something goes wrong: the message, the exit code, and nobody left behind.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "executor/process/cores.hpp"
#include "executor/rendezvous/socket.hpp"
#include "model/base/diagnostic.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/plan_v1.hpp"
#include "tests/execution/program_run.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::test {
namespace {

using namespace model;
using std::chrono::steady_clock;

class Failure : public ::testing::Test {
 protected:
  std::vector<std::string> arguments(const std::string& plan, const std::string& steps = "1000") const {
    return {"run", "--plan", plan, "--backend", "gloo", "--steps", steps, "--warmup", "0", "--run-dir", run_dir};
  }
  [[nodiscard]] std::vector<pid_t> ranks() const { return processes_with({"rank", run_dir}); }
  [[nodiscard]] bool has(const std::string& file) const { return std::filesystem::exists(folder.path() / file); }
  [[nodiscard]] bool has_temporary_files() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().filename().string().find(".tmp") != std::string::npos)
        return true;
    return false;
  }

  TemporaryFolder folder;
  std::string run_dir = folder.path().string();
};

TEST_F(Failure, AKilledRankIsNamedAndTheOthersEnd) {
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  ASSERT_TRUE(run.wait_for_line("\"event\":\"step\"")) << run.errors();
  ASSERT_EQ(ranks().size(), 2U);
  const std::vector<pid_t> victim = processes_with({"rank", run_dir, "--rank 1"});
  ASSERT_EQ(victim.size(), 1U);
  const auto killed = steady_clock::now();
  ::kill(victim.front(), SIGKILL);
  EXPECT_EQ(run.wait(), 3);
  EXPECT_LT(steady_clock::now() - killed, std::chrono::seconds(3));
  EXPECT_NE(run.errors().find("rank 1 was killed by signal 9 (KILL) while measuring, after "), std::string::npos)
      << run.errors();
  EXPECT_TRUE(ranks().empty());
  EXPECT_FALSE(has("measurement.json"));
}

TEST_F(Failure, AnInterruptLeavesAPartialMeasurementAndNoProcess) {
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  ASSERT_TRUE(run.wait_for_line("\"step\":2")) << run.errors();
  run.signal(SIGINT);
  EXPECT_EQ(run.wait(), 1);
  EXPECT_TRUE(ranks().empty());
  EXPECT_NE(run.errors().find("interrupted by SIGINT after "), std::string::npos) << run.errors();
  Diagnostics diagnostics;
  const auto measurement = measurement_from_json(read_file(folder.path() / "measurement.json", diagnostics),
                                                 "measurement.json", diagnostics);
  ASSERT_TRUE(measurement) << diagnostics.to_text();
  const ExecutedRun& partial = measurement->runs[0];
  EXPECT_GE(partial.step_s.size(), 2U);
  EXPECT_LT(partial.step_s.size(), 1000U);
  EXPECT_EQ(partial.modes.back(), "interrupted after " + std::to_string(partial.step_s.size()) + " of 1000 steps");
}

TEST_F(Failure, ARunThatNobodyReadsEnds) {
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  ASSERT_TRUE(run.wait_for_line("\"event\":\"step\"")) << run.errors();
  run.stop_reading();
  EXPECT_EQ(run.wait(), 1);
  EXPECT_NE(run.errors().find("interrupted by SIGHUP after "), std::string::npos) << run.errors();
  EXPECT_TRUE(ranks().empty());
}

TEST_F(Failure, RanksDieWithTheirLauncher) {
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  ASSERT_TRUE(run.wait_for_line("\"event\":\"step\"")) << run.errors();
  run.signal(SIGKILL);
  EXPECT_EQ(run.wait(), 128 + SIGKILL);
  const auto deadline = steady_clock::now() + std::chrono::seconds(10);
  while (!ranks().empty() && steady_clock::now() < deadline)
    ::sched_yield();
  EXPECT_TRUE(ranks().empty());
}

TEST_F(Failure, ASecondRunInTheSameFolderIsRefused) {
  ProgramRun first(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  ASSERT_TRUE(first.wait_for_line("\"event\":\"start\"")) << first.errors();
  ProgramRun second(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"));
  EXPECT_EQ(second.wait(), 3);
  EXPECT_NE(second.errors().find("another run (process " + std::to_string(first.pid()) + ") is using it"),
            std::string::npos)
      << second.errors();
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait(), 1);
  EXPECT_TRUE(ranks().empty());
}

TEST_F(Failure, ATakenPortIsSaid) {
  const executor::FileDescriptor listener = executor::listen_on({});
  auto words = arguments("slow");
  words.insert(words.end(), {"--rendezvous-port", std::to_string(executor::port_of(listener))});
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, words);
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("another program uses the port"), std::string::npos) << run.errors();
}

TEST_F(Failure, AnotherNumberOfProcessesIsBadInput) {
  auto words = arguments("slow");
  words.insert(words.end(), {"--nproc", "3"});
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, words);
  EXPECT_EQ(run.wait(), 2);
  EXPECT_EQ(run.errors(),
            "command line: --nproc: 3 processes, but the plan has 2 ranks (dp 2 x tp 1 x pp 1 x cp 1); write --nproc 2 "
            "or leave it out\n");
}

TEST_F(Failure, MoreRanksThanTheMachineCanRunAreRefused) {
  const int cores = static_cast<int>(executor::allowed_cores().size());
  const std::string plan_file = (folder.path() / "large.json").string();
  Plan plan = small_plan(Layout{.dp = 8 * cores}, 1);
  plan.cluster = switched_cluster(cores);
  write_file_atomically(plan_file, to_plan_json(plan));
  ProgramRun run(TRAINWRIGHT_EXECUTE_PROGRAM, arguments(plan_file));
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("runs plans of up to " + std::to_string(4 * cores) + " ranks"), std::string::npos)
      << run.errors();
}

TEST_F(Failure, AMissingPlanIsBadInput) {
  ProgramRun run(TRAINWRIGHT_EXECUTE_PROGRAM, arguments((folder.path() / "missing.json").string()));
  EXPECT_EQ(run.wait(), 2);
  EXPECT_NE(run.errors().find("missing.json: cannot be opened"), std::string::npos) << run.errors();
}

TEST_F(Failure, WrongDataOfACollectiveIsFoundBeforeMeasuring) {
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow"), {{"TRAINWRIGHT_TEST_FAULT", "all_reduce"}});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("rank 1 exited with code 3 while verifying: rank 1, task 1 (all_reduce data 4000 B, "
                              "gradient_sync): wrong result in group data-stream.data.0: element 500 is "),
            std::string::npos)
      << run.errors();
  EXPECT_TRUE(ranks().empty());
}

TEST_F(Failure, WrongDataOfAMessageIsFoundBeforeMeasuring) {
  const std::string plan_file = (folder.path() / "pp2.json").string();
  write_file_atomically(plan_file, to_plan_json(small_plan(Layout{.pp = 2}, 2)));
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments(plan_file), {{"TRAINWRIGHT_TEST_FAULT", "receive"}});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("wrong data from rank 0: element 0 is "), std::string::npos) << run.errors();
  EXPECT_NE(run.errors().find("(receive from stage 0 "), std::string::npos) << run.errors();
}

TEST_F(Failure, AStoppedRankIsFoundByTheTimeOut) {
  auto words = arguments("slow");
  words.insert(words.end(), {"--timeout", "2"});
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, words);
  ASSERT_TRUE(run.wait_for_line("\"event\":\"step\"")) << run.errors();
  ::kill(processes_with({"rank", run_dir, "--rank 1"}).at(0), SIGSTOP);
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("rank 0 exited with code 3 while measuring"), std::string::npos) << run.errors();
  EXPECT_TRUE(ranks().empty());
}

// A file size limit fails like a full disk, in the middle of the file; a full disk needs the right to mount.
TEST_F(Failure, AFileThatCannotBeWrittenWholeIsNotLeftInHalf) {
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{300, old.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::optional<ProgramRun> run;
  run.emplace(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow", "3"));
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(run->wait(), 3);
  EXPECT_FALSE(has("measurement.json"));
  EXPECT_FALSE(has("trace.json"));
  EXPECT_FALSE(has_temporary_files());
}

TEST_F(Failure, AFullDiskIsSaidAndLeavesNoHalfFile) {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", run_dir.c_str(), "tmpfs", 0, "size=8k") != 0)
    GTEST_SKIP() << "mounting is not permitted here";
  ProgramRun run(TRAINWRIGHT_EXECUTION_DOUBLE, arguments("slow", "3"));
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.errors().find("measurement.json: cannot be written: No space left on device; nothing was written"),
            std::string::npos)
      << run.errors();
  EXPECT_FALSE(has("measurement.json"));
  EXPECT_FALSE(has_temporary_files());
  ::umount(run_dir.c_str());
}

}  // namespace
}  // namespace trainwright::test
