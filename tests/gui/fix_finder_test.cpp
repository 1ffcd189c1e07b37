// SPDX-License-Identifier: Apache-2.0
#include "gui/session/fix_finder.hpp"

#include <gtest/gtest.h>

#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui {
namespace {

TEST(FixFinder, ProposesTheNearestValueThatWorks) {
  const testing_support::FakePlanSource source;
  const ScenarioInputs wrong = withNumber(testing_support::smallScenario(), Field::tp, 3);
  const Resolution refused = source.resolve(wrong);
  ASSERT_FALSE(refused.plan);
  const std::vector<FieldFix> fixes = findFixes(source, wrong, refused.problems, {});
  for (const FieldFix& fix : fixes)
    EXPECT_TRUE(source.resolve(withNumber(wrong, fix.field, fix.value)).plan) << fix.value;
  EXPECT_EQ(fixes, (std::vector<FieldFix>{{Field::tp, 4, true}}));
}

TEST(FixFinder, ProposesNothingForAValidScenario) {
  const testing_support::FakePlanSource source;
  const ScenarioInputs inputs = testing_support::smallScenario();
  EXPECT_TRUE(findFixes(source, inputs, source.resolve(inputs).problems, {}).empty());
}

TEST(FixFinder, ProposesNothingOnceStopped) {
  const testing_support::FakePlanSource source;
  const ScenarioInputs wrong = withNumber(testing_support::smallScenario(), Field::tp, 3);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(findFixes(source, wrong, source.resolve(wrong).problems, stop.get_token()).empty());
}

}  // namespace
}  // namespace trainwright::gui
