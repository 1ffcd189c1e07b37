// Makes the parts of the window and hands them to each other. The only place that knows them all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gui/app/languages.hpp"
#include "gui/main_window/main_window.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/settings/settings.hpp"
#include "gui/theme/theme.hpp"

class QApplication;

namespace trainwright::gui {

class Composition {
 public:
  /// Language and theme follow the settings from here on.
  Composition(QApplication& application, std::unique_ptr<Settings> settings, Services services, ScenarioInputs first,
              MainWindow::AskForFile ask);

  [[nodiscard]] Settings& settings() { return *settings_; }
  [[nodiscard]] PlanningSession& session() { return session_; }
  [[nodiscard]] MainWindow& window() { return window_; }

 private:
  std::unique_ptr<Settings> settings_;
  Theme theme_;
  Languages languages_;
  PlanningSession session_;
  MainWindow window_;
};

}  // namespace trainwright::gui
