// Simulations as the user starts them: the trace, the limits of the command, and no worker left behind.
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

class Simulate : public CommandTest {
 protected:
  [[nodiscard]] static bool is_alive(const std::string& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string number;
    std::string name;
    std::string state;
    return (file >> number >> name >> state) && state != "Z" && state != "X";
  }

  void make_plan(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"predict", "--save", "plan.json", "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    ASSERT_LE(run(words).exit_code, 1);
  }
};

TEST_F(Simulate, WritesATraceWithEveryTaskAndAgreesWithPredict) {
  make_plan({"--model", "gpt-tiny", "--cluster", "dgx-a100", "--gpus", "4", "--pp", "2"});
  const Outcome outcome = run({"simulate", "--plan", "plan.json", "--trace", "trace.json", "--json", "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const double step = Json::parse(outcome.out).at("step_time_s").get<double>();
  double last_end = 0.0;
  const Json trace = Json::parse(read("trace.json"));
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("ph") == "X")
      last_end = std::max(last_end, event.at("ts").get<double>() + event.at("dur").get<double>());
  EXPECT_GT(last_end * 1e-6, 0.5 * step);
  EXPECT_LE(last_end * 1e-6, 1.001 * step);
  const Outcome folded = run({"predict", "--plan", "plan.json", "--estimator", "folded", "--json"});
  EXPECT_NEAR(Json::parse(folded.out).at("step_time_s").get<double>(), step, 0.01 * step);
}

TEST_F(Simulate, TheClosedFormIsNotASimulation) {
  const Outcome outcome = run({"simulate", "--estimator", "analytic"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(
      outcome.err,
      "command line: --estimator: \"analytic\" simulates nothing; allowed: folded, full; `trainwright predict` gives "
      "the closed form\n"
      "command line: --plan: is needed; `trainwright predict --save plan.json` makes one\n");
}

TEST_F(Simulate, AnInterruptEndsTheWorker) {
  // Every rank of a pipeline of 16 stages with 128 micro-batches: takes tens of seconds, were it not interrupted.
  make_plan({"--model", "gpt3-175b", "--cluster", "selene-dgx-a100", "--gpus", "1024", "--tp", "8", "--pp", "16",
             "--micro-batch", "1", "--global-batch", "1024", "--seq-len", "2048"});
  RunningProgram program({"simulate", "--plan", "plan.json"}, folder_);
  std::vector<std::string> workers;
  ASSERT_TRUE(wait_until([&] {
    workers = testing_support::children_of(program.pid());
    return !workers.empty();
  }));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("interrupted: there is no result"));
  EXPECT_TRUE(wait_until([&] { return !is_alive(workers.front()); }));
}

}  // namespace
}  // namespace trainwright
