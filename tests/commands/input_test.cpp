// Files that are wrong in one way each: exit code 2, nothing on standard output, file and JSON path in the message.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::CommandTest;
using testing_support::Outcome;

class Input : public CommandTest {
 protected:
  /// A good plan file, made by the program itself.
  [[nodiscard]] Json good_plan() const {
    const Outcome outcome = run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--gpus", "8", "--tp", "2",
                                 "--save", "good.json", "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(read("good.json"));
  }
  /// What the program says about a plan file with this text.
  [[nodiscard]] Outcome predict(const std::string& text) const {
    write("bad.json", text);
    return run({"predict", "--plan", "bad.json", "--json"});
  }
};

void expect_bad_input(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(message));
}

TEST_F(Input, MissingFile) {
  expect_bad_input(run({"predict", "--plan", "none.json"}), "none.json: cannot be opened: No such file or directory");
}

TEST_F(Input, FolderInsteadOfFile) {
  expect_bad_input(run({"predict", "--plan", "."}), ".: is a folder; a file is needed");
}

TEST_F(Input, SyntaxErrorNamesLineAndColumn) {
  expect_bad_input(predict("{\n  \"format\": \"trainwright/plan/v1\",\n  \"model\": }\n"), "bad.json: ");
  EXPECT_THAT(predict("{\n  \"format\": \"trainwright/plan/v1\",\n  \"model\": }\n").err, HasSubstr("line 3"));
}

TEST_F(Input, EmptyFile) {
  EXPECT_EQ(predict("").exit_code, 2);
}

TEST_F(Input, UnknownKey) {
  Json plan = good_plan();
  plan["layout"]["tpp"] = 2;
  expect_bad_input(predict(plan.dump()), "bad.json: /layout/tpp: ");
}

TEST_F(Input, WrongType) {
  Json plan = good_plan();
  plan["layout"]["tp"] = "two";
  expect_bad_input(predict(plan.dump()), "bad.json: /layout/tp: ");
}

TEST_F(Input, FractionWhereAWholeNumberIsNeeded) {
  Json plan = good_plan();
  plan["layout"]["tp"] = 1.5;
  expect_bad_input(predict(plan.dump()), "bad.json: /layout/tp: ");
}

TEST_F(Input, DuplicateKey) {
  std::string text = good_plan().dump();
  text.insert(1, "\"format\": \"trainwright/plan/v1\", ");
  expect_bad_input(predict(text), "format");
}

TEST_F(Input, NotANumber) {
  std::string text = good_plan().dump();
  const std::string number = "\"tp\":2";
  text.replace(text.find(number), number.size(), "\"tp\":NaN");
  expect_bad_input(predict(text), "bad.json: ");
}

TEST_F(Input, WrongUnitInAClusterFile) {
  const std::string text = R"({"format": "trainwright/cluster/v1", "id": "c", "groups": [{"nodes": 1,
    "devices_per_node": 8, "accelerator": "a100-sxm-80gb", "link": {"kind": "nvlink-switch", "bandwidth": "400Gb/s"}}]})";
  write("cluster.json", text);
  expect_bad_input(run({"predict", "--model", "gpt2", "--cluster", "cluster.json"}), "400Gb/s");
}

TEST_F(Input, FileOfAnotherKind) {
  write("model.json", R"({"format": "trainwright/model/v1"})");
  expect_bad_input(run({"predict", "--plan", "model.json"}), "trainwright/plan/v1");
}

TEST_F(Input, ThreeViolationsAtOnceGiveThreeEntries) {
  const Outcome outcome = run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--gpus", "32", "--tp", "8",
                               "--pp", "4", "--seq-len", "4096", "--precision", "fp8"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              HasSubstr("command line: --tp: 8 does not divide the 12 attention heads of gpt2; allowed: 1, 2, 3, "
                        "4, 6, 12; for example --tp 4 --dp 2"));
  EXPECT_THAT(outcome.err, HasSubstr("[layout.tp-divides-heads]"));
  EXPECT_THAT(outcome.err, HasSubstr("command line: --precision: fp8 is not a matrix format of "));
  EXPECT_THAT(outcome.err, HasSubstr("command line: --seq-len: 4096 tokens are more than the 1024 learned positions"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
}

TEST_F(Input, ViolationsInAPlanFileNameItsPaths) {
  Json plan = good_plan();
  plan["layout"]["tp"] = 8;
  expect_bad_input(predict(plan.dump()), "bad.json: /layout/tp: 8 does not divide the 12 attention heads");
}

TEST_F(Input, PlanAndModelTogetherAreRefused) {
  static_cast<void>(good_plan());
  expect_bad_input(run({"predict", "--plan", "good.json", "--model", "gpt2"}),
                   "command line: --model: is part of the plan already; leave it out, or leave out --plan");
}

TEST_F(Input, UnsupportedFeaturesAreRefusedNotIgnored) {
  expect_bad_input(
      run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--gpus", "8", "--cp", "2", "--attention",
           "unfused"}),
      "command line: --cp-kind: ring attention without a fused attention kernel is not yet supported by this version; "
      "allowed: ulysses, or --attention flash [version.unsupported]");
}

TEST_F(Input, ImportRefusesWhatItDoesNotKnow) {
  write("config.json", R"({"model_type": "no-such-model"})");
  const Outcome outcome = run({"import", "hf", "config.json", "--json"});
  expect_bad_input(outcome, "config.json: ");
  expect_bad_input(run({"import", "onnx", "config.json"}), "\"onnx\" is not known; allowed: hf");
  expect_bad_input(run({"import"}), "is needed; allowed: hf");
}

TEST_F(Input, FolderThatCannotBeWrittenIsAnEnvironmentFailure) {
  const Outcome outcome =
      run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--save", "no/such/folder/p.json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("trainwright: "));
}

}  // namespace
}  // namespace trainwright
