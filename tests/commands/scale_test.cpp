// Scaling curves as the user sees them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing_support::CommandTest;
using testing_support::Outcome;

class Scale : public CommandTest {
 protected:
  void save() const {
    const Outcome saved = run({"predict", "--model", "gpt2-xl", "--cluster", "dgx-a100", "--gpus", "8",
                               "--global-batch", "64", "--save", "plan.json", "--quiet"});
    ASSERT_EQ(saved.exit_code, 0) << saved.err;
  }
};

TEST_F(Scale, JsonHasBothCurvesAgainstTheSmallestSize) {
  save();
  const Outcome outcome = run({"scale", "--plan", "plan.json", "--gpus", "16,8,64", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("format"), "trainwright/scaling/v1");
  ASSERT_EQ(result.at("curves").size(), 2U);
  for (const Json& curve : result.at("curves")) {
    EXPECT_EQ(curve.at("base_gpus"), 8);
    EXPECT_EQ(curve.at("points").at(0).at("efficiency"), 1.0);
    EXPECT_LT(curve.at("points").at(2).at("efficiency").get<double>(), 1.0);
  }
  EXPECT_EQ(result.at("curves").at(0).at("points").at(2).at("global_batch"), 512);
}

TEST_F(Scale, ReportNamesTheKindAndTheHighestThroughput) {
  save();
  const Outcome outcome = run({"scale", "--plan", "plan.json", "--gpus", "8,16", "--strong"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Strong scaling"));
  EXPECT_THAT(outcome.out, HasSubstr("highest throughput: "));
  EXPECT_EQ(outcome.out.find("Weak"), std::string::npos);
}

TEST_F(Scale, BadInputIsSaidAllAtOnce) {
  const Outcome outcome = run({"scale", "--gpus", "0"});
  EXPECT_EQ(outcome.exit_code, 2);
  for (const char* said : {"--plan", "0 is out of range"})
    EXPECT_THAT(outcome.err, HasSubstr(said));
}

}  // namespace
}  // namespace trainwright
