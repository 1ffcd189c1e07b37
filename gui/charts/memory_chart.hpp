// Memory at the peak as stacked bars, one for each stage, against the capacity of the device. Drawn by Qt Charts from a
// MemoryModel; nothing is computed here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QChartView>

#include "gui/format/display_format.hpp"
#include "gui/models/memory_model.hpp"
#include "gui/theme/theme.hpp"

namespace trainwright::gui {

class MemoryChart : public QChartView {
  Q_OBJECT

 public:
  /// Model and theme must outlive the chart.
  MemoryChart(const MemoryModel& model, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);

 Q_SIGNALS:
  void termClicked(int row, int column);

 protected:
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void rebuild();

  const MemoryModel& model_;
  const Theme& theme_;
  DisplayFormat format_;
};

}  // namespace trainwright::gui
