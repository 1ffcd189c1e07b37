// SPDX-License-Identifier: Apache-2.0
#include "gui/session/scenario_inputs.hpp"

#include <gtest/gtest.h>

#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui {
namespace {

model::Diagnostic at(const std::string& path) {
  model::Diagnostic problem;
  problem.path = path;
  return problem;
}

TEST(FieldOf, KnowsOptionsAndPointers) {
  EXPECT_EQ(fieldOf(at("--tp")), Field::tp);
  EXPECT_EQ(fieldOf(at("--micro-batch")), Field::micro_batch);
  EXPECT_EQ(fieldOf(at("/layout/sequence_parallel")), Field::sequence_parallel);
  EXPECT_EQ(fieldOf(at("/job/seq_len")), Field::seq_len);
  EXPECT_EQ(fieldOf(at("/layout/zero_group")), Field::hsdp);
}

TEST(FieldOf, WhatHasNoFieldBelongsToTheWhole) {
  EXPECT_EQ(fieldOf(at("")), Field::none);
  EXPECT_EQ(fieldOf(at("--")), Field::none);
  EXPECT_EQ(fieldOf(at("/cluster/groups/0/link")), Field::none);
}

TEST(ScenarioInputs, NumbersAreReadAndReplacedByField) {
  const ScenarioInputs inputs = testing_support::smallScenario();
  EXPECT_EQ(numberIn(inputs, Field::tp), 2);
  EXPECT_EQ(numberIn(inputs, Field::dp), std::nullopt);
  EXPECT_EQ(numberIn(withNumber(inputs, Field::dp, 8), Field::dp), 8);
  EXPECT_EQ(numberIn(withNumber(inputs, Field::tp, std::nullopt), Field::tp), std::nullopt);
  EXPECT_EQ(withNumber(inputs, Field::tp, 2), inputs);
}

TEST(ScenarioInputs, OfAPlanResolveToThatPlan) {
  const testing_support::FakePlanSource source;
  const Resolution first = source.resolve(testing_support::smallScenario());
  ASSERT_TRUE(first.plan) << first.problems.to_text();
  const Resolution again = source.resolve(inputsOf(*first.plan));
  ASSERT_TRUE(again.plan) << again.problems.to_text();
  EXPECT_EQ(again.plan->layout, first.plan->layout);
  EXPECT_EQ(again.plan->job, first.plan->job);
  EXPECT_EQ(again.plan->model, first.plan->model);
}

TEST(ScenarioInputs, APlanTellsWhatWasDerived) {
  const testing_support::FakePlanSource source;
  const Resolution resolved = source.resolve(testing_support::smallScenario());
  ASSERT_TRUE(resolved.plan);
  EXPECT_EQ(numberIn(*resolved.plan, Field::dp), 8);
  EXPECT_EQ(numberIn(*resolved.plan, Field::gpus), 16);
}

}  // namespace
}  // namespace trainwright::gui
