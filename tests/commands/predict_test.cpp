// Predictions as the user sees them: JSON fields of the contract, the report, saved plans, exit codes.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::CommandTest;
using testing_support::Outcome;

class Predict : public CommandTest {
 protected:
  [[nodiscard]] Outcome predict(std::vector<std::string> more) const {
    std::vector<std::string> words{"predict", "--model", "gpt2", "--cluster", "dgx-a100"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(Predict, JsonHasTheFieldsOfTheContractAndNothingElseIsPrinted) {
  const Outcome outcome = predict({"--gpus", "8", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json result = Json::parse(outcome.out);
  const double step = result.at("step_time_s").get<double>();
  EXPECT_GT(step, 0.0);
  EXPECT_LE(result.at("step_time_interval_s").at(0).get<double>(), step);
  EXPECT_GE(result.at("step_time_interval_s").at(1).get<double>(), step);
  for (const char* key : {"tokens_per_s", "tflops_per_gpu_model", "mfu", "hfu"})
    EXPECT_GT(result.at(key).get<double>(), 0.0) << key;
  double sum = 0.0;
  for (const auto& [part, seconds] : result.at("breakdown_s").items())
    sum += seconds.get<double>();
  EXPECT_NEAR(sum, step, 1e-9 * step);
  for (const char* key : {"peak_bytes", "capacity_bytes", "verdict", "terms"})
    EXPECT_TRUE(result.at("memory").contains(key)) << key;
  EXPECT_TRUE(result.at("bottleneck").is_string());
  EXPECT_TRUE(result.at("advice").is_array());
  EXPECT_FALSE(result.at("assumptions").empty());
}

TEST_F(Predict, ReportBeginsWithTheVerdict) {
  const Outcome outcome = predict({"--gpus", "8", "--tp", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("fits: "));
  EXPECT_THAT(outcome.out, HasSubstr("\ngpt2 on dgx-a100, 8 ranks: tp 2, pp 1, dp 4, micro-batch 1 x 1"));
  EXPECT_THAT(outcome.out, HasSubstr("Memory of a rank at its peak, GB"));
  EXPECT_THAT(outcome.out, HasSubstr("- dp 4 = 8 ranks / (tp 2 x pp 1 x cp 1)"));
  EXPECT_THAT(outcome.out, HasSubstr("vocabulary 50257 counted as 50432"));
}

TEST_F(Predict, AutomaticRecomputationDoesNotTakeANumberOfLayers) {
  const Outcome outcome = run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--gpus", "8", "--recompute",
                               "auto", "--recompute-layers", "3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--recompute-layers: contradicts --recompute auto"));
}

TEST_F(Predict, SameInputGivesTheSameText) {
  EXPECT_EQ(predict({"--gpus", "16", "--json"}).out, predict({"--gpus", "16", "--json"}).out);
}

TEST_F(Predict, CommaLocaleChangesNothing) {
  const Outcome plain = predict({"--json"});
  const Outcome german = testing_support::RunningProgram({"LC_ALL=de_DE.UTF-8", TRAINWRIGHT_PROGRAM, "predict",
                                                          "--model", "gpt2", "--cluster", "dgx-a100", "--json"},
                                                         folder_, "/usr/bin/env")
                             .wait();
  EXPECT_EQ(plain.out, german.out);
}

TEST_F(Predict, SavedPlanPredictsTheSame) {
  const Outcome first = predict({"--gpus", "8", "--pp", "2", "--save", "plan.json", "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const Outcome second = run({"predict", "--plan", "plan.json", "--json"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(first.out, second.out);
}

TEST_F(Predict, OptionsChangeASavedPlan) {
  ASSERT_EQ(predict({"--gpus", "8", "--save", "plan.json"}).exit_code, 0);
  const Outcome outcome = run({"predict", "--plan", "plan.json", "--tp", "4"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("tp 4, pp 1, dp 2"));
}

TEST_F(Predict, WhatDoesNotFitEndsWithOneAndSaysSoFirst) {
  const Outcome outcome =
      run({"predict", "--model", "llama-2-70b", "--cluster", "dgx-a100", "--gpus", "8", "--tp", "1", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, StartsWith("does not fit: "));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Predict, ModelMayBeAHuggingFaceConfig) {
  const Outcome outcome = run({"predict", "--model", TRAINWRIGHT_FIXTURES "/hf/llama-3.2-1b.json", "--cluster",
                               "dgx-a100", "--gpus", "8", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(Json::parse(outcome.out).at("step_time_s").get<double>(), 0.0);
}

TEST_F(Predict, ImportPrintsParameterCounts) {
  const Outcome outcome = run({"import", "hf", TRAINWRIGHT_FIXTURES "/hf/gpt2.json", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json model = Json::parse(outcome.out);
  EXPECT_EQ(model.at("parameters"), 124439808);
  EXPECT_EQ(model.at("active_parameters"), 124439808);
}

TEST_F(Predict, AnImportedProfileIsAModelFile) {
  ASSERT_EQ(run({"import", "hf", TRAINWRIGHT_FIXTURES "/hf/gpt2.json", "--out", "model.json"}).exit_code, 0);
  EXPECT_EQ(run({"predict", "--model", "model.json", "--cluster", "dgx-a100"}).exit_code, 0);
}

}  // namespace
}  // namespace trainwright
