// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/timeline_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/labels.hpp"
#include "gui/models/timeline_model.hpp"

namespace trainwright::gui {
namespace {

constexpr int kLabelWidth = 18 * tokens::kGrid;
constexpr int kAxisHeight = 3 * tokens::kGrid;
constexpr int kHeadingHeight = 3 * tokens::kGrid;
constexpr int kLaneHeight = 2 * tokens::kGrid;
constexpr int kLaneGap = 2;
constexpr int kTallestLane = 4 * tokens::kGrid;
constexpr double kZoomStep = 1.25;

/// Colour of a pixel that is partly busy: mixed with that of idling, never so weak that it gets lost.
QColor faded(const Theme& theme, const PixelRun& run) {
  constexpr double kWeakest = 0.35;
  const double strength = kWeakest + (1.0 - kWeakest) * run.coverage;
  const QColor busy = theme.activityColor(run.activity);
  const QColor idle = theme.activityColor(Activity::idle);
  const auto mix = [strength](int a, int b) {
    return static_cast<int>(std::lround(a * strength + b * (1.0 - strength)));
  };
  return QColor(mix(busy.red(), idle.red()), mix(busy.green(), idle.green()), mix(busy.blue(), idle.blue()));
}

}  // namespace

TimelineView::TimelineView(const Theme& theme, QWidget* parent) : QAbstractScrollArea(parent), theme_(theme) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setCursor(Qt::CrossCursor);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void TimelineView::setTimeline(std::shared_ptr<const TimelineData> timeline) {
  timeline_ = std::move(timeline);
  selection_.reset();
  arrangeRows();
  showAll();
}

/// Few lanes share the height there is; many keep their least height and scroll.
void TimelineView::arrangeRows() {
  rows_.clear();
  std::size_t lanes = 0;
  for (std::size_t rank = 0; timeline_ && rank < timeline_->ranks.size(); ++rank)
    lanes += timeline_->ranks[rank].lanes.size();
  const int ranks = timeline_ ? static_cast<int>(timeline_->ranks.size()) : 0;
  const int space = viewport()->height() - kAxisHeight - ranks * kHeadingHeight - tokens::kGrid;
  const int laneHeight =
      lanes == 0 ? kLaneHeight : std::clamp(space / static_cast<int>(lanes) - kLaneGap, kLaneHeight, kTallestLane);
  int top = 0;
  for (std::size_t rank = 0; timeline_ && rank < timeline_->ranks.size(); ++rank) {
    rows_.push_back({rank, -1, top, kHeadingHeight});
    top += kHeadingHeight;
    for (std::size_t lane = 0; lane < timeline_->ranks[rank].lanes.size(); ++lane) {
      rows_.push_back({rank, static_cast<std::ptrdiff_t>(lane), top, laneHeight});
      top += laneHeight + kLaneGap;
    }
  }
  updateScrollBar();
}

void TimelineView::setFormat(const DisplayFormat& format) {
  format_ = format;
  viewport()->update();
}

void TimelineView::showAll() {
  view_.fit(timeline_ ? timeline_->end : 0.0, plotWidth());
  viewport()->update();
}

void TimelineView::zoomBy(double factor) {
  view_.zoom(factor, plotWidth() / 2.0);
  viewport()->update();
}

void TimelineView::select(const Selection& selection) {
  selection_ = selection;
  viewport()->update();
}

void TimelineView::clearSelection() {
  selection_.reset();
  viewport()->update();
}

int TimelineView::plotWidth() const {
  return std::max(viewport()->width() - kLabelWidth, 1);
}

void TimelineView::updateScrollBar() {
  const int content = rows_.empty() ? 0 : rows_.back().top + rows_.back().height + tokens::kGrid;
  const int visible = viewport()->height() - kAxisHeight;
  verticalScrollBar()->setPageStep(visible);
  verticalScrollBar()->setSingleStep(kLaneHeight);
  verticalScrollBar()->setRange(0, std::max(content - visible, 0));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  view_.setWidth(plotWidth());
  arrangeRows();
}

void TimelineView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme_.color(tokens::kSurface));
  painter.setFont(theme_.font(Theme::TextSize::small));
  if (!timeline_)
    return;
  const int scrolled = verticalScrollBar()->value();
  painter.save();
  painter.setClipRect(0, kAxisHeight, viewport()->width(), viewport()->height() - kAxisHeight);
  const auto first = std::lower_bound(rows_.begin(), rows_.end(), scrolled,
                                      [](const Row& row, int y) { return row.top + row.height < y; });
  for (auto row = first; row != rows_.end(); ++row) {
    const int y = kAxisHeight + row->top - scrolled;
    if (y > viewport()->height())
      break;
    paintRow(painter, *row, y);
  }
  painter.restore();
  paintAxis(painter);
}

void TimelineView::paintAxis(QPainter& painter) const {
  const QRect axis(0, 0, viewport()->width(), kAxisHeight);
  painter.fillRect(axis, theme_.color(tokens::kSurface));
  painter.setPen(theme_.color(tokens::kBorder));
  painter.drawLine(0, kAxisHeight - 1, viewport()->width(), kAxisHeight - 1);
  const DisplayUnit unit = DisplayFormat::timeUnit(model::Seconds(view_.span()));
  const double step = tickStep(view_.span(), std::max(plotWidth() / (12 * tokens::kGrid), 1));
  painter.setPen(theme_.color(tokens::kMuted));
  painter.drawText(QRect(0, 0, kLabelWidth - tokens::kGrid, kAxisHeight), Qt::AlignRight | Qt::AlignVCenter,
                   //: axis title of the timeline, %1 is a unit such as ms
                   tr("Time (%1)").arg(unit.symbol));
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit.scale) - 1e-9)), 0, 9);
  for (double tick = std::ceil(view_.begin() / step) * step; tick <= view_.begin() + view_.span(); tick += step) {
    const double x = kLabelWidth + view_.toPixel(tick);
    painter.setPen(theme_.color(tokens::kBorder));
    painter.drawLine(QPointF(x, kAxisHeight - 5), QPointF(x, kAxisHeight));
    painter.setPen(theme_.color(tokens::kMuted));
    painter.drawText(QRectF(x + 3, 0, 10.0 * tokens::kGrid, kAxisHeight - 4), Qt::AlignLeft | Qt::AlignVCenter,
                     format_.locale().toString(tick / unit.scale + 0.0, 'f', decimals));
  }
}

void TimelineView::paintRow(QPainter& painter, const Row& row, int y) const {
  const TimelineRank& rank = timeline_->ranks[row.rank];
  if (row.lane < 0) {
    painter.setPen(theme_.color(tokens::kText));
    painter.drawText(QRect(tokens::kGrid, y, viewport()->width() - tokens::kGrid, row.height),
                     Qt::AlignLeft | Qt::AlignBottom, rankName(rank, format_));
    return;
  }
  const TimelineLane& lane = rank.lanes[static_cast<std::size_t>(row.lane)];
  painter.setPen(theme_.color(tokens::kMuted));
  painter.drawText(QRect(2 * tokens::kGrid, y, kLabelWidth - 3 * tokens::kGrid, row.height),
                   Qt::AlignRight | Qt::AlignVCenter, Labels::name(lane.stream));
  const QRect plot(kLabelWidth, y, plotWidth(), row.height);
  painter.fillRect(plot, theme_.activityColor(Activity::idle));
  for (const PixelRun& run : visibleRuns(lane, view_)) {
    const double from = std::max(run.from, 0.0);
    const double to = std::min(run.to, static_cast<double>(view_.width()));
    const QRectF bar(kLabelWidth + from, y, std::max(to - from, 1.0), row.height);
    painter.fillRect(
        bar, run.coverage < 1.0 || run.merged ? QBrush(faded(theme_, run)) : theme_.activityBrush(run.activity));
    constexpr double kSeparable = 4.0;
    if (!run.merged && bar.width() > kSeparable) {
      painter.setPen(theme_.color(tokens::kSurface));
      painter.drawLine(bar.topRight(), bar.bottomRight());
    }
    if (selection_ && selection_->rank == row.rank && static_cast<std::ptrdiff_t>(selection_->lane) == row.lane &&
        selection_->bar == run.bar) {
      painter.setPen(QPen(theme_.color(tokens::kText), 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(bar.adjusted(1, 1, -1, -1));
    }
  }
}

const TimelineView::Row* TimelineView::rowAt(int y) const {
  const int inside = y - kAxisHeight + verticalScrollBar()->value();
  for (const Row& row : rows_)
    if (inside >= row.top && inside < row.top + row.height)
      return &row;
  return nullptr;
}

void TimelineView::clickAt(const QPoint& position) {
  const Row* row = rowAt(position.y());
  if (!timeline_ || row == nullptr || row->lane < 0 || position.x() < kLabelWidth)
    return;
  const TimelineLane& lane = timeline_->ranks[row->rank].lanes[static_cast<std::size_t>(row->lane)];
  constexpr double kReachPixels = 2.0;
  const std::ptrdiff_t bar =
      barAt(lane, view_.toSeconds(position.x() - kLabelWidth), kReachPixels / view_.width() * view_.span());
  if (bar < 0)
    return;
  select({row->rank, static_cast<std::size_t>(row->lane), static_cast<std::size_t>(bar)});
  Q_EMIT selected(static_cast<int>(row->rank), static_cast<int>(row->lane), static_cast<int>(bar));
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    view_.panPixels(-(turned.y() != 0 ? turned.y() : turned.x()));
  } else if (event->position().x() < kLabelWidth) {
    QAbstractScrollArea::wheelEvent(event);
    return;
  } else {
    constexpr double kNotch = 120.0;
    view_.zoom(std::pow(kZoomStep, turned.y() / kNotch), event->position().x() - kLabelWidth);
    if (turned.x() != 0)
      view_.panPixels(-turned.x());
  }
  viewport()->update();
  event->accept();
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      view_.zoom(1.0 + gesture->value(), gesture->position().x() - kLabelWidth);
      viewport()->update();
      return true;
    }
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  pressedAt_ = lastDrag_ = event->pos();
  dragging_ = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  constexpr int kDragDistance = 4;
  if ((event->pos() - pressedAt_).manhattanLength() > kDragDistance)
    dragging_ = true;
  if (!dragging_)
    return;
  const QPoint moved = event->pos() - lastDrag_;
  lastDrag_ = event->pos();
  view_.panPixels(-moved.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
  viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_)
    clickAt(event->pos());
  dragging_ = false;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomBy(kZoomStep);
      break;
    case Qt::Key_Minus:
      zoomBy(1.0 / kZoomStep);
      break;
    case Qt::Key_0:
      showAll();
      break;
    case Qt::Key_Left:
      view_.panPixels(-10.0 * tokens::kGrid);
      break;
    case Qt::Key_Right:
      view_.panPixels(10.0 * tokens::kGrid);
      break;
    default:
      QAbstractScrollArea::keyPressEvent(event);
      return;
  }
  viewport()->update();
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    viewport()->update();
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace trainwright::gui
