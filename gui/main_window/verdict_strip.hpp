// The answer in one line, always visible: memory verdict, step time with interval, efficiency, what limits it. A
// refused scenario says how many problems there are and the first of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "gui/format/display_format.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/theme/theme.hpp"

class QLabel;
class QPushButton;

namespace trainwright::gui {

class Chip;

class VerdictStrip : public QWidget {
  Q_OBJECT

 public:
  VerdictStrip(PlanningSession& session, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);
  [[nodiscard]] QString verdict() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void showEstimate(const model::Estimate& estimate);
  void showProblems();

  PlanningSession& session_;
  const Theme& theme_;
  DisplayFormat format_;
  QLabel* verdict_;
  QLabel* message_;
  Chip* memory_;
  Chip* step_;
  Chip* mfu_;
  Chip* bottleneck_;
  QPushButton* simulate_;
};

}  // namespace trainwright::gui
