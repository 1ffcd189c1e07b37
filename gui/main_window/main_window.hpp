// The frame: title strip, rail, verdict, pages, inspector, jobs. Wires widgets; holds no numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMainWindow>
#include <functional>

#include "gui/format/display_format.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/settings/settings.hpp"
#include "gui/theme/theme.hpp"

class QStackedWidget;

namespace trainwright::gui {

class Inspector;
class JobsBar;
class NavigationRail;
class ResultPage;
class ScenarioPage;
class TimelinePage;
class TitleStrip;
class VerdictStrip;

enum class Page { scenario, result, timeline };

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// Asks the user for a file, starting in a folder; empty when the user gives up. Replaced in tests.
  using AskForFile = std::function<QString(QWidget* parent, const QString& folder)>;

  /// All must outlive the window.
  MainWindow(PlanningSession& session, Settings& settings, const Theme& theme, AskForFile askForFile,
             QWidget* parent = nullptr);

  void showPage(Page page);
  [[nodiscard]] Page page() const;
  void setFormat(const DisplayFormat& format);
  void open(const QString& path);

 protected:
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void retranslate();
  void connectSession();

  PlanningSession& session_;
  Settings& settings_;
  AskForFile askForFile_;
  TitleStrip* title_;
  NavigationRail* rail_;
  VerdictStrip* verdict_;
  QStackedWidget* pages_;
  ScenarioPage* scenario_;
  ResultPage* result_;
  TimelinePage* timeline_;
  Inspector* inspector_;
  JobsBar* jobs_;
};

/// The usual file dialog for plans, models and clusters.
[[nodiscard]] QString askForFile(QWidget* parent, const QString& folder);

}  // namespace trainwright::gui
