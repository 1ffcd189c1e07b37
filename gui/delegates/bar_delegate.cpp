// SPDX-License-Identifier: Apache-2.0
#include "gui/delegates/bar_delegate.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/roles.hpp"

namespace trainwright::gui {
namespace {

constexpr int kSwatch = tokens::kGrid + tokens::kGrid / 2;
constexpr int kMargin = tokens::kGrid / 2;

}  // namespace

BarDelegate::BarDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

QRect BarDelegate::barRect(const QRect& cell, double share) {
  const double part = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  return {cell.left(), cell.top(), static_cast<int>(std::lround(cell.width() * part)), cell.height()};
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant share = index.data(kShareRole);
  const QVariant activity = index.data(kActivityRole);
  const bool isLast = index.column() == index.model()->columnCount() - 1;
  const bool isFirst = index.column() == 0;
  QStyleOptionViewItem inner(option);
  if (isLast && share.isValid()) {
    QColor color = activity.isValid() ? theme_.activityColor(static_cast<Activity>(activity.toInt()))
                                      : theme_.color(tokens::kAccent);
    color.setAlphaF(0.28F);
    painter->fillRect(barRect(option.rect.adjusted(kMargin, 3, -kMargin, -3), share.toDouble()), color);
  }
  if (isFirst && activity.isValid()) {
    const QRect swatch(option.rect.left() + kMargin, option.rect.center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter->fillRect(swatch, theme_.activityBrush(static_cast<Activity>(activity.toInt())));
    inner.rect.setLeft(swatch.right() + kMargin);
  }
  QStyledItemDelegate::paint(painter, inner, index);
}

QSize BarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (index.column() == 0 && index.data(kActivityRole).isValid())
    size.rwidth() += kSwatch + 2 * kMargin;
  if (index.column() == index.model()->columnCount() - 1 && index.data(kShareRole).isValid())
    size.setWidth(std::max(size.width(), 14 * tokens::kGrid));
  size.setHeight(std::max(size.height(), 3 * tokens::kGrid));
  return size;
}

}  // namespace trainwright::gui
