// The step as one stacked bar that sums to the step. Parts wide enough carry their name; the table beside names them
// all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

#include "gui/models/breakdown_model.hpp"
#include "gui/theme/theme.hpp"

namespace trainwright::gui {

class BreakdownBar : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive the bar.
  BreakdownBar(const BreakdownModel& model, const Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// Left edges of the parts and the right edge of the last, in pixels of `width`: shares laid end to end.
  [[nodiscard]] static std::vector<double> edges(const BreakdownModel& model, double width);

 Q_SIGNALS:
  void partClicked(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int rowAt(double x) const;

  const BreakdownModel& model_;
  const Theme& theme_;
};

}  // namespace trainwright::gui
