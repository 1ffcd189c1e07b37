// SPDX-License-Identifier: Apache-2.0
#include "gui/app/profile_plan_source.hpp"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>

#include "gui/pages/scenario_facts.hpp"
#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::gui {
namespace {

TEST(ProfilePlanSource, ListsTheShippedProfiles) {
  const ProfilePlanSource source;
  const std::vector<ProfileEntry> models = source.models();
  const auto llama =
      std::find_if(models.begin(), models.end(), [](const auto& entry) { return entry.id == "llama-3-8b"; });
  ASSERT_NE(llama, models.end());
  EXPECT_EQ(llama->parameters, 8'030'261'248);
  const std::vector<ProfileEntry> clusters = source.clusters();
  EXPECT_TRUE(std::any_of(clusters.begin(), clusters.end(),
                          [](const auto& entry) { return entry.id == "dgx-h100" && entry.devices == 8; }));
}

TEST(ProfilePlanSource, TheFirstScenarioIsValid) {
  const ProfilePlanSource source;
  const Resolution resolution = source.resolve(firstScenario());
  ASSERT_TRUE(resolution.plan) << resolution.problems.to_text();
  EXPECT_EQ(model::world_size(resolution.plan->layout), 16);
  EXPECT_EQ(usedNodes(*resolution.plan), 2);
}

TEST(ProfilePlanSource, AnUnknownProfileIsAProblemOfTheModel) {
  const ProfilePlanSource source;
  ScenarioInputs inputs = firstScenario();
  inputs.model = {"llama-9"};
  const Resolution resolution = source.resolve(inputs);
  EXPECT_FALSE(resolution.plan);
  EXPECT_TRUE(resolution.problems.has_errors());
}

TEST(ProfilePlanSource, OpensAPlanItWouldWrite) {
  const ProfilePlanSource source;
  const Resolution resolution = source.resolve(firstScenario());
  ASSERT_TRUE(resolution.plan);
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath(QStringLiteral("plan.json")).toStdString();
  model::write_file_atomically(file, model::to_plan_json(*resolution.plan));
  const ScenarioInputs opened = source.open(file, {});
  const Resolution again = source.resolve(opened);
  ASSERT_TRUE(again.plan) << again.problems.to_text();
  EXPECT_EQ(again.plan->layout, resolution.plan->layout);
  EXPECT_EQ(again.plan->constants, resolution.plan->constants);
}

TEST(ProfilePlanSource, RefusesWhatIsNoFileOfOurs) {
  const ProfilePlanSource source;
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath(QStringLiteral("x.json")).toStdString();
  EXPECT_THROW(static_cast<void>(source.open(file, {})), model::InputError);
  model::write_file_atomically(file, "{\"a\": ");
  EXPECT_THROW(static_cast<void>(source.open(file, {})), model::InputError);
  model::write_file_atomically(file, "[1, 2]");
  EXPECT_THROW(static_cast<void>(source.open(file, {})), model::InputError);
}

}  // namespace
}  // namespace trainwright::gui
