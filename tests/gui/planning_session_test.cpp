// SPDX-License-Identifier: Apache-2.0
#include "gui/session/planning_session.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "model/base/error.hpp"
#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui {
namespace {

using testing_support::FakeEstimator;
using testing_support::fakeServices;
using testing_support::smallScenario;

TEST(PlanningSession, PredictsAtOnce) {
  PlanningSession session(fakeServices(), smallScenario());
  QSignalSpy predicted(&session, &PlanningSession::predicted);
  ASSERT_TRUE(predicted.wait());
  ASSERT_TRUE(session.plan());
  EXPECT_EQ(session.plan()->layout.dp, 8);
  ASSERT_TRUE(session.estimate());
  EXPECT_DOUBLE_EQ(session.estimate()->step.count(), 1.0);
}

TEST(PlanningSession, PredictsAnewOnEachEdit) {
  PlanningSession session(fakeServices(), smallScenario());
  QSignalSpy predicted(&session, &PlanningSession::predicted);
  session.setInputs(withNumber(session.inputs(), Field::gpus, 8));
  ASSERT_TRUE(predicted.wait());
  EXPECT_EQ(predicted.count(), 1) << "the first prediction was superseded and must not arrive";
  EXPECT_DOUBLE_EQ(session.estimate()->step.count(), 2.0);
}

TEST(PlanningSession, ARefusedScenarioHasProblemsAndFixes) {
  PlanningSession session(fakeServices(), withNumber(smallScenario(), Field::tp, 3));
  QSignalSpy predicted(&session, &PlanningSession::predicted);
  ASSERT_TRUE(predicted.wait());
  EXPECT_FALSE(session.plan());
  EXPECT_FALSE(session.estimate());
  EXPECT_TRUE(session.problems().has_errors());
  EXPECT_FALSE(session.fixes().empty());
  EXPECT_FALSE(session.canSimulate());
}

TEST(PlanningSession, UndoAndRedoWalkThroughSnapshots) {
  PlanningSession session(fakeServices(), smallScenario());
  const ScenarioInputs first = session.inputs();
  const ScenarioInputs second = withNumber(first, Field::tp, 4);
  EXPECT_FALSE(session.canUndo());
  session.setInputs(second);
  session.undo();
  EXPECT_EQ(session.inputs(), first);
  EXPECT_TRUE(session.canRedo());
  session.redo();
  EXPECT_EQ(session.inputs(), second);
  session.undo();
  session.setInputs(withNumber(first, Field::tp, 8));
  EXPECT_FALSE(session.canRedo());
}

TEST(PlanningSession, EqualInputsAreNoEdit) {
  PlanningSession session(fakeServices(), smallScenario());
  session.setInputs(session.inputs());
  EXPECT_FALSE(session.canUndo());
}

TEST(PlanningSession, SimulatesWithATimeline) {
  PlanningSession session(fakeServices(), smallScenario());
  QSignalSpy predicted(&session, &PlanningSession::predicted);
  QSignalSpy simulated(&session, &PlanningSession::simulated);
  ASSERT_TRUE(predicted.wait());
  session.simulate();
  ASSERT_TRUE(simulated.wait());
  ASSERT_TRUE(session.simulation());
  EXPECT_GT(session.simulation()->timeline->bars, 0U);
  EXPECT_TRUE(session.simulationIsCurrent());
  session.setInputs(withNumber(session.inputs(), Field::tp, 4));
  ASSERT_TRUE(predicted.wait());
  EXPECT_FALSE(session.simulationIsCurrent());
}

TEST(PlanningSession, AFailingSimulatorIsAMessage) {
  Services services = fakeServices();
  services.simulator = std::make_shared<FakeEstimator>(
      [](const model::Plan&, std::stop_token, const model::Progress&) -> std::optional<model::Estimate> {
        throw model::EnvironmentError("the simulator ended with signal 6");
      });
  PlanningSession session(services, smallScenario());
  QSignalSpy predicted(&session, &PlanningSession::predicted);
  QSignalSpy failed(&session, &PlanningSession::failed);
  ASSERT_TRUE(predicted.wait());
  session.simulate();
  ASSERT_TRUE(failed.wait());
  EXPECT_EQ(failed.front().front().toString(), QStringLiteral("the simulator ended with signal 6"));
  EXPECT_FALSE(session.simulation());
}

TEST(PlanningSession, OpensFilesAndSaysWhyItDoesNot) {
  PlanningSession session(fakeServices(), smallScenario());
  QSignalSpy refused(&session, &PlanningSession::fileRefused);
  session.openFile(QStringLiteral("/folder/bad.json"));
  ASSERT_TRUE(refused.wait());
  EXPECT_EQ(refused.front().at(1).toString().count(u'\n'), 2) << "one line for each problem";
  EXPECT_EQ(session.inputs(), smallScenario());

  QSignalSpy changed(&session, &PlanningSession::inputsChanged);
  session.openFile(QStringLiteral("/folder/big.json"));
  ASSERT_TRUE(changed.wait());
  EXPECT_EQ(session.inputs().model.id, "big");
  EXPECT_TRUE(session.canUndo());
}

}  // namespace
}  // namespace trainwright::gui
