// Timeline: the simulated step, ranks x time. Empty, it says how to fill it; out of date, it says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "gui/format/display_format.hpp"
#include "gui/models/timeline_model.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/theme/theme.hpp"
#include "gui/widgets/inspector.hpp"

class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace trainwright::gui {

class Legend;
class TimelineView;

class TimelinePage : public QWidget {
  Q_OBJECT

 public:
  TimelinePage(PlanningSession& session, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);
  [[nodiscard]] TimelineView& view() { return *view_; }

 Q_SIGNALS:
  void explained(const Explain& explain);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void retranslate();
  void explainBar(int rank, int lane, int bar);

  PlanningSession& session_;
  DisplayFormat format_;
  TimelineModel model_;
  QStackedWidget* stack_;
  QLabel* empty_;
  QPushButton* start_;
  QLabel* sentence_;
  QToolButton* showAll_;
  QToolButton* zoomIn_;
  QToolButton* zoomOut_;
  TimelineView* view_;
  Legend* legend_;
  QLabel* taskText_;
};

}  // namespace trainwright::gui
