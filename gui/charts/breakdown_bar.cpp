// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/breakdown_bar.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "gui/models/labels.hpp"

namespace trainwright::gui {
namespace {

constexpr int kBarHeight = 5 * tokens::kGrid;

}  // namespace

BreakdownBar::BreakdownBar(const BreakdownModel& model, const Theme& theme, QWidget* parent)
    : QWidget(parent), model_(model), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  connect(&model, &QAbstractItemModel::modelReset, this, qOverload<>(&QWidget::update));
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize BreakdownBar::sizeHint() const {
  return {60 * tokens::kGrid, kBarHeight};
}
QSize BreakdownBar::minimumSizeHint() const {
  return {20 * tokens::kGrid, kBarHeight};
}

std::vector<double> BreakdownBar::edges(const BreakdownModel& model, double width) {
  std::vector<double> edges{0.0};
  for (int row = 0; row < model.rowCount(); ++row)
    edges.push_back(edges.back() + model.shareAt(row) * width);
  return edges;
}

void BreakdownBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const std::vector<double> at = edges(model_, width());
  for (int row = 0; row < model_.rowCount(); ++row) {
    const Activity activity = activityOf(model_.partAt(row));
    const auto i = static_cast<std::size_t>(row);
    const QRectF part(at[i], 0, at[i + 1] - at[i], height());
    painter.fillRect(part, theme_.activityBrush(activity));
    painter.setPen(theme_.color(tokens::kSurface));
    painter.drawLine(part.topRight(), part.bottomRight());
    const QRectF inside = part.adjusted(tokens::kGrid / 2.0, 0, -tokens::kGrid / 2.0, 0);
    const QString share = model_.index(row, BreakdownModel::share_column).data().toString();
    const QString text = Labels::name(activity) + u' ' + share;
    painter.setPen(Theme::textOn(theme_.activityColor(activity)));
    painter.setFont(theme_.font(Theme::TextSize::small));
    if (painter.fontMetrics().horizontalAdvance(text) <= inside.width())
      painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text);
    else if (painter.fontMetrics().horizontalAdvance(share) <= inside.width())
      painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, share);
  }
}

int BreakdownBar::rowAt(double x) const {
  const std::vector<double> at = edges(model_, width());
  for (std::size_t i = 0; i + 1 < at.size(); ++i)
    if (x >= at[i] && x < at[i + 1])
      return static_cast<int>(i);
  return -1;
}

void BreakdownBar::mousePressEvent(QMouseEvent* event) {
  if (const int row = rowAt(event->position().x()); row >= 0)
    Q_EMIT partClicked(row);
}

bool BreakdownBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int row = rowAt(help->pos().x()); row >= 0)
      QToolTip::showText(help->globalPos(),
                         QStringLiteral("%1\n%2, %3")
                             .arg(model_.index(row, BreakdownModel::part_column).data().toString(),
                                  model_.index(row, BreakdownModel::time_column).data().toString(),
                                  model_.index(row, BreakdownModel::share_column).data().toString()),
                         this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace trainwright::gui
