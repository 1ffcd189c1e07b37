// Bottom of the window: what runs, how far it is, how long it still takes, and a button to stop it; or the last
// message. Predictions appear only when they take long enough to notice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "gui/format/display_format.hpp"
#include "gui/session/planning_session.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace trainwright::gui {

class JobsBar : public QWidget {
  Q_OBJECT

 public:
  explicit JobsBar(PlanningSession& session, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);
  /// Stays until closed or until the next job starts.
  void showMessage(const QString& message);
  [[nodiscard]] QString message() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();

  PlanningSession& session_;
  DisplayFormat format_;
  QLabel* text_;
  QProgressBar* progress_;
  QLabel* left_;
  QPushButton* cancel_;
  QLabel* message_;
  QToolButton* closeMessage_;
  JobKind shown_ = JobKind::simulation;
};

}  // namespace trainwright::gui
