// SPDX-License-Identifier: Apache-2.0
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QUrl>
#include <future>

#include "gui/charts/timeline_view.hpp"
#include "gui/main_window/jobs_bar.hpp"
#include "gui/main_window/verdict_strip.hpp"
#include "gui/pages/scenario_cards.hpp"
#include "gui/pages/timeline_page.hpp"
#include "gui/widgets/field_row.hpp"
#include "tests/gui/support/model_text.hpp"
#include "tests/gui/support/window_fixture.hpp"

namespace trainwright::gui {
namespace {

using testing_support::FakeEstimator;
using testing_support::fakeServices;
using testing_support::plain;
using testing_support::smallScenario;

class Window : public testing_support::WindowFixture {
 protected:
  FieldRow& row(Field field) { return *window().findChild<ScenarioCards*>()->row(field); }
  QSpinBox& number(Field field) { return *row(field).findChild<QSpinBox*>(); }
};

TEST_F(Window, OpensWithAPrediction) {
  build();
  EXPECT_TRUE(window().isVisible());
  EXPECT_EQ(plain(find<QLabel>("scenarioLine").text()), "Small Model · 2 × Test Cluster · 16 GPUs · TP2 PP1 DP8");
  EXPECT_EQ(find<QLabel>("verdict").text(), QStringLiteral("Fits"));
}

TEST_F(Window, AnEditPredictsAnew) {
  build();
  QSignalSpy predicted(&session(), &PlanningSession::predicted);
  number(Field::tp).setValue(4);
  ASSERT_TRUE(predicted.wait());
  EXPECT_EQ(session().plan()->layout.tp, 4);
  EXPECT_EQ(plain(find<QLabel>("scenarioLine").text()), "Small Model · 2 × Test Cluster · 16 GPUs · TP4 PP1 DP4");
  EXPECT_EQ(plain(number(Field::dp).text()), "automatic (4)");
}

TEST_F(Window, StepsOfADegreeDoubleAndHalve) {
  build();
  number(Field::tp).stepBy(1);
  EXPECT_EQ(number(Field::tp).value(), 4);
  number(Field::tp).stepBy(-2);
  EXPECT_EQ(number(Field::tp).value(), 1);
}

TEST_F(Window, AnInvalidLayoutIsExplainedAtTheFieldAndMendedThere) {
  build();
  window().showPage(Page::scenario);
  QSignalSpy predicted(&session(), &PlanningSession::predicted);
  number(Field::tp).setValue(3);
  ASSERT_TRUE(predicted.wait());
  EXPECT_TRUE(row(Field::tp).hasProblem());
  EXPECT_NE(row(Field::tp).problem().indexOf(QStringLiteral("3")), -1) << row(Field::tp).problem().toStdString();
  EXPECT_FALSE(row(Field::seq_len).hasProblem());
  EXPECT_NE(find<QLabel>("verdict").text().indexOf(QStringLiteral("problem")), -1);
  auto* fix = row(Field::tp).findChild<QPushButton*>(QStringLiteral("fix"));
  ASSERT_TRUE(fix->isVisible());
  QTest::mouseClick(fix, Qt::LeftButton);
  ASSERT_TRUE(predicted.wait());
  EXPECT_TRUE(session().plan());
  EXPECT_FALSE(row(Field::tp).hasProblem());
}

TEST_F(Window, UndoButtonTakesAnEditBack) {
  build();
  QSignalSpy predicted(&session(), &PlanningSession::predicted);
  EXPECT_FALSE(find<QToolButton>("undo").isEnabled());
  number(Field::tp).setValue(4);
  ASSERT_TRUE(predicted.wait());
  find<QToolButton>("undo").click();
  ASSERT_TRUE(predicted.wait());
  EXPECT_EQ(number(Field::tp).value(), 2);
  EXPECT_TRUE(find<QToolButton>("redo").isEnabled());
}

TEST_F(Window, SimulatingOpensTheTimeline) {
  build();
  QSignalSpy simulated(&session(), &PlanningSession::simulated);
  find<QPushButton>("simulate").click();
  ASSERT_TRUE(simulated.wait());
  EXPECT_EQ(window().page(), Page::timeline);
  auto& page = *window().findChild<TimelinePage*>();
  QCoreApplication::processEvents();
  QSignalSpy selected(&page.view(), &TimelineView::selected);
  // The first lane lies below the axis and the heading of rank 0.
  QTest::mouseClick(page.view().viewport(), Qt::LeftButton, {},
                    QPoint(page.view().viewport()->width() / 2, 24 + 24 + 8));
  ASSERT_EQ(selected.count(), 1);
  EXPECT_FALSE(find<QLabel>("taskText").text().isEmpty());
}

TEST_F(Window, CancelStopsASimulation) {
  Services services = fakeServices();
  std::promise<void> stopped;
  services.simulator = std::make_shared<FakeEstimator>(
      [&stopped](const model::Plan&, std::stop_token stop, const model::Progress&) -> std::optional<model::Estimate> {
        std::promise<void> asked;
        const std::stop_callback callback(stop, [&asked] { asked.set_value(); });
        asked.get_future().wait();
        stopped.set_value();
        return std::nullopt;
      });
  build(smallScenario(), services);
  find<QPushButton>("simulate").click();
  EXPECT_TRUE(find<QPushButton>("cancelJob").isVisible());
  EXPECT_FALSE(find<QPushButton>("simulate").isEnabled());
  find<QPushButton>("cancelJob").click();
  stopped.get_future().wait();
  EXPECT_FALSE(session().jobs().isRunning(JobKind::simulation));
  EXPECT_TRUE(find<QPushButton>("simulate").isEnabled());
}

TEST_F(Window, ClosingStopsWhatRuns) {
  Services services = fakeServices();
  std::promise<void> stopped;
  services.simulator = std::make_shared<FakeEstimator>(
      [&stopped](const model::Plan&, std::stop_token stop, const model::Progress&) -> std::optional<model::Estimate> {
        std::promise<void> asked;
        const std::stop_callback callback(stop, [&asked] { asked.set_value(); });
        asked.get_future().wait();
        stopped.set_value();
        return std::nullopt;
      });
  build(smallScenario(), services);
  session().simulate();
  EXPECT_TRUE(window().close());
  stopped.get_future().wait();
  EXPECT_FALSE(session().jobs().isRunning(JobKind::simulation));
}

TEST_F(Window, ADroppedFileIsOpenedAndABadOneExplained) {
  build();
  QSignalSpy changed(&session(), &PlanningSession::inputsChanged);
  fileToOpen_ = QStringLiteral("/folder/bad.json");
  QSignalSpy refused(&session(), &PlanningSession::fileRefused);
  window().open(fileToOpen_);
  ASSERT_TRUE(refused.wait());
  const QString message = find<QLabel>("message").text();
  EXPECT_NE(message.indexOf(QStringLiteral("bad.json")), -1);
  EXPECT_NE(message.indexOf(QStringLiteral("/hidden")), -1);
  EXPECT_NE(message.indexOf(QStringLiteral("/layers")), -1);

  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(QStringLiteral("/folder/big.json"))});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window(), &drop);
  ASSERT_TRUE(changed.wait());
  EXPECT_EQ(session().inputs().model.id, "big");
  EXPECT_TRUE(find<QLabel>("message").text().isEmpty());
}

TEST_F(Window, ThemeSwitchChangesThePalette) {
  build();
  settings().setThemeMode(ThemeMode::light);
  const int light = QApplication::palette().color(QPalette::Window).lightness();
  settings().setThemeMode(ThemeMode::dark);
  const int dark = QApplication::palette().color(QPalette::Window).lightness();
  EXPECT_GT(light, 200);
  EXPECT_LT(dark, 60);
}

}  // namespace
}  // namespace trainwright::gui
