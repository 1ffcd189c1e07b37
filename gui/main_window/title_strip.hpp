// Top of the window: the scenario in one line, undo and redo, open, theme, language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "gui/format/display_format.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/settings/settings.hpp"
#include "gui/theme/theme.hpp"

class QComboBox;
class QLabel;
class QToolButton;

namespace trainwright::gui {

class TitleStrip : public QWidget {
  Q_OBJECT

 public:
  TitleStrip(PlanningSession& session, Settings& settings, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);

 Q_SIGNALS:
  void openRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void refreshIcons();
  void retranslate();

  PlanningSession& session_;
  Settings& settings_;
  const Theme& theme_;
  DisplayFormat format_;
  QLabel* scenario_;
  QToolButton* open_;
  QToolButton* undo_;
  QToolButton* redo_;
  QToolButton* themeButton_;
  QComboBox* language_;
};

}  // namespace trainwright::gui
