// Ranks x time, streams as lanes. Zoom with the wheel or a pinch, pan by dragging, click to select a task. Painting
// costs by pixels, not by tasks (models/timeline_viewport.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "gui/format/display_format.hpp"
#include "gui/models/timeline_viewport.hpp"
#include "gui/theme/theme.hpp"
#include "gui/timeline/timeline_data.hpp"

namespace trainwright::gui {

class TimelineView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TimelineView(const Theme& theme, QWidget* parent = nullptr);

  void setTimeline(std::shared_ptr<const TimelineData> timeline);
  void setFormat(const DisplayFormat& format);
  void showAll();
  void zoomBy(double factor);  ///< about the middle

  struct Selection {
    std::size_t rank = 0;  ///< row
    std::size_t lane = 0;
    std::size_t bar = 0;
  };
  void select(const Selection& selection);
  void clearSelection();

 Q_SIGNALS:
  /// Indices into the timeline given.
  void selected(int rank, int lane, int bar);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// A lane on screen; headings of ranks take a row of their own.
  struct Row {
    std::size_t rank = 0;
    std::ptrdiff_t lane = -1;  ///< -1: heading
    int top = 0;               ///< before scrolling
    int height = 0;
  };
  [[nodiscard]] int plotWidth() const;
  void arrangeRows();
  void updateScrollBar();
  void paintAxis(QPainter& painter) const;
  void paintRow(QPainter& painter, const Row& row, int y) const;
  [[nodiscard]] const Row* rowAt(int y) const;
  void clickAt(const QPoint& position);

  const Theme& theme_;
  DisplayFormat format_;
  std::shared_ptr<const TimelineData> timeline_;
  TimelineViewport view_;
  std::vector<Row> rows_;
  std::optional<Selection> selection_;
  QPoint pressedAt_;
  QPoint lastDrag_;
  bool dragging_ = false;
};

}  // namespace trainwright::gui
