// Runs that are really executed and interrupted: results, partial results, and no process left behind.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing_support::CommandTest;
using testing_support::Outcome;
using testing_support::RunningProgram;

class Execute : public CommandTest {
 protected:
  /// A plan of two ranks on this machine's cores, small enough for steps of milliseconds.
  void make_plan() const {
    const Outcome outcome = run({"predict", "--model", "gpt-tiny", "--cluster", "local", "--dp", "2", "--micro-batch",
                                 "1", "--seq-len", "64", "--precision", "fp32", "--save", "plan.json", "--quiet"});
    ASSERT_LE(outcome.exit_code, 1) << outcome.err;
  }

  /// Processes whose command line names this test's folder, apart from the command line program itself.
  [[nodiscard]] int processes_of_run() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::ostringstream content;
      content << file.rdbuf();  // a process that ends meanwhile leaves it empty
      const std::string text = content.str();
      if (text.find("trainwright-execute") != std::string::npos && text.find(folder_.string()) != std::string::npos)
        ++count;
    }
    return count;
  }

  /// Waits until the number of processes satisfies `enough`; false after half a minute.
  template <class Enough>
  [[nodiscard]] bool wait_for_processes(Enough enough) const {
    return wait_until([&] { return enough(processes_of_run()); });
  }

  [[nodiscard]] std::vector<std::string> execute(const std::string& steps) const {
    return {"execute", "--plan", "plan.json", "--backend", "gloo", "--run-dir", (folder_ / "run").string(),
            "--steps", steps,    "--json"};
  }
};

TEST_F(Execute, NcclWithoutAGpuSaysWhatToDo) {
  if (std::filesystem::exists("/proc/driver/nvidia/gpus"))
    GTEST_SKIP() << "this machine has GPUs";
  make_plan();
  const Outcome outcome = run({"execute", "--plan", "plan.json", "--backend", "nccl"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("--backend gloo runs"));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Execute, MeasuresAndComparesWithThePrediction) {
  make_plan();
  const Outcome outcome = run(execute("3"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("steps"), 3);
  EXPECT_GT(result.at("measured_step_s").get<double>(), 0.0);
  EXPECT_GT(result.at("predicted_step_s").get<double>(), 0.0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "measurement.json"));
  EXPECT_EQ(processes_of_run(), 0);
}

TEST_F(Execute, AnInterruptEndsTheRanksAndTheExitCodeIsOne) {
  make_plan();
  RunningProgram program(execute("1000000"), folder_);
  ASSERT_TRUE(wait_for_processes([](int count) { return count >= 3; }));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_EQ(processes_of_run(), 0);
}

TEST_F(Execute, AnInterruptEndsMeasuringAndQuickstart) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"measure", "--nproc", "2", "--out", (folder_ / "m.json").string(), "--run-dir",
                                 (folder_ / "run").string()},
        std::vector<std::string>{"quickstart", "--run-dir", (folder_ / "quick").string()}}) {
    RunningProgram program(words, folder_);
    ASSERT_TRUE(wait_for_processes([](int count) { return count >= 1; })) << words.front();
    program.signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 1) << words.front() << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("interrupted")) << words.front();
    EXPECT_EQ(processes_of_run(), 0) << words.front();
  }
}

TEST_F(Execute, AnInterruptEndsCalibratingAndWritesNothing) {
  make_plan();
  ASSERT_EQ(run(execute("3")).exit_code, 0);
  // The slowest way to fit, on many copies of the run: long enough to be interrupted.
  std::vector<std::string> words{"calibrate", "--estimator", "full", "--out", "calibration.json"};
  for (int i = 0; i < 40; ++i)
    words.push_back((folder_ / "run" / "measurement.json").string());
  RunningProgram program(words, folder_);
  ASSERT_TRUE(wait_until([&] { return !testing_support::children_of(program.pid()).empty(); }));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted; nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "calibration.json"));
}

TEST_F(Execute, RanksDoNotOutliveAKilledProgram) {
  make_plan();
  RunningProgram program(execute("1000000"), folder_);
  ASSERT_TRUE(wait_for_processes([](int count) { return count >= 3; }));
  program.signal(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  EXPECT_TRUE(wait_for_processes([](int count) { return count == 0; }));
}

TEST_F(Execute, AnotherNumberOfProcessesIsBadInput) {
  make_plan();
  std::vector<std::string> words = execute("3");
  words.insert(words.end(), {"--nproc", "3"});
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("--nproc: 3 processes, but the plan has 2 ranks"));
}

}  // namespace
}  // namespace trainwright
