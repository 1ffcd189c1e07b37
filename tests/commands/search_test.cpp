// The search as the user sees it: JSON fields, the report, limits, a saved plan, exit codes.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::CommandTest;
using testing_support::Outcome;
using testing_support::RunningProgram;

class Search : public CommandTest {
 protected:
  static std::vector<std::string> words(std::vector<std::string> more) {
    std::vector<std::string> all{"search",         "--model", "gpt2-xl",     "--cluster", "dgx-a100",
                                 "--global-batch", "64",      "--estimator", "analytic"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] Outcome search(std::vector<std::string> more) const { return run(words(std::move(more))); }
};

TEST_F(Search, JsonListsPlansAndWhatBecameOfTheOthers) {
  const Outcome outcome = search({"--gpus", "16", "--top", "3", "--pareto", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("format"), "trainwright/search/v1");
  EXPECT_TRUE(result.at("complete").get<bool>());
  ASSERT_EQ(result.at("best").size(), 3U);
  const Json& counts = result.at("layouts");
  EXPECT_EQ(counts.at("all").get<long>(),
            counts.at("rejected").get<long>() + counts.at("pruned").get<long>() + counts.at("costed").get<long>());
  double before = 0.0;
  for (const Json& plan : result.at("best")) {
    EXPECT_GE(plan.at("step_time_s").get<double>(), before);
    before = plan.at("step_time_s").get<double>();
    const Json& layout = plan.at("layout");
    EXPECT_EQ(layout.at("dp").get<int>() * layout.at("tp").get<int>() * layout.at("pp").get<int>() *
                  layout.at("cp").get<int>(),
              16);
  }
  EXPECT_FALSE(result.at("pareto").empty());
  for (const Json& rule : result.at("rejected"))
    for (const char* key : {"rule", "layouts", "message", "example"})
      EXPECT_TRUE(rule.contains(key)) << key;
}

// What is listed first is what predict says of it, and its file is a plan that predict takes.
TEST_F(Search, SavedPlanPredictsTheSameStep) {
  const Outcome outcome = search({"--gpus", "16", "--json", "--save", "best.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Outcome predicted = run({"predict", "--plan", "best.json", "--json"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  const double step = Json::parse(predicted.out).at("step_time_s").get<double>();
  EXPECT_NEAR(Json::parse(outcome.out).at("best").at(0).at("step_time_s").get<double>(), step, 2e-9 * step);
}

TEST_F(Search, ReportBeginsWithTheBestPlan) {
  const Outcome outcome = search({"--gpus", "8,16", "--tp", "1", "--objective", "cost"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("best: tp 1"));
  EXPECT_THAT(outcome.out, HasSubstr("Layouts gone through: "));
}

TEST_F(Search, NoPlanIsTheAnswerNo) {
  const Outcome outcome = search({"--gpus", "16", "--steps", "1000", "--max-days", "0.0001"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, StartsWith("no plan: "));
  EXPECT_THAT(outcome.out, HasSubstr("goal.deadline"));
}

TEST_F(Search, BadInputIsSaidAllAtOnce) {
  const Outcome outcome = run({"search", "--model", "gpt2-xl", "--gpus", "0", "--objective", "fame"});
  EXPECT_EQ(outcome.exit_code, 2);
  for (const char* said : {"fame", "throughput"})
    EXPECT_THAT(outcome.err, HasSubstr(said));
  const Outcome missing = run({"search", "--model", "gpt2-xl", "--gpus", "0"});
  EXPECT_EQ(missing.exit_code, 2);
  for (const char* said : {"--cluster", "--global-batch", "--gpus", "0 is out of range"})
    EXPECT_THAT(missing.err, HasSubstr(said));
  const Outcome two = run({"search", "--model", "no-such-model", "--cluster", "no-such-cluster"});
  EXPECT_EQ(two.exit_code, 2);
  for (const char* said : {"no-such-model", "no-such-cluster", "--global-batch"})
    EXPECT_THAT(two.err, HasSubstr(said));
  const Outcome untold = search({"--gpus", "16", "--max-days", "3", "--max-price", "5", "--zero", "4"});
  EXPECT_EQ(untold.exit_code, 2);
  for (const char* said : {"--max-days", "--steps or --tokens", "--max-price", "4 is out of range"})
    EXPECT_THAT(untold.err, HasSubstr(said));
}

TEST_F(Search, InterruptGivesTheBestSoFar) {
  std::vector<std::string> large{"search",   "--model", "gpt3-175b",      "--cluster", "dgx-a100",
                                 "--gpus",   "8192",    "--global-batch", "8192",      "--estimator",
                                 "analytic", "--json",  "--pareto",       "--threads", "1"};
  RunningProgram program(large, folder_);
  ::poll(nullptr, 0, 1000);
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_FALSE(result.at("complete").get<bool>());
}

}  // namespace
}  // namespace trainwright
