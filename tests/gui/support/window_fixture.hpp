// The whole window on fakes, with a settings file of its own; waits are on signals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "gui/app/composition.hpp"
#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui::testing_support {

class WindowFixture : public testing::Test {
 protected:
  void build(const ScenarioInputs& inputs = smallScenario(), Services services = fakeServices()) {
    auto settings = std::make_unique<Settings>(folder_.filePath(QStringLiteral("window.ini")));
    settings->setLanguage(QStringLiteral("en"));
    composition_ = std::make_unique<Composition>(*qApp, std::move(settings), std::move(services), inputs,
                                                 [this](QWidget*, const QString&) { return fileToOpen_; });
    QSignalSpy predicted(&session(), &PlanningSession::predicted);
    composition_->window().show();
    ASSERT_TRUE(predicted.wait());
  }
  void TearDown() override {
    composition_.reset();
    // English again, whatever the test switched to: the translator belongs to the application.
    QCoreApplication::processEvents();
  }

  [[nodiscard]] MainWindow& window() { return composition_->window(); }
  [[nodiscard]] PlanningSession& session() { return composition_->session(); }
  [[nodiscard]] Settings& settings() { return composition_->settings(); }
  template <class Widget>
  [[nodiscard]] Widget& find(const char* name) {
    auto* widget = window().findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return *widget;
  }

  QTemporaryDir folder_;
  QString fileToOpen_;
  std::unique_ptr<Composition> composition_;
};

}  // namespace trainwright::gui::testing_support
