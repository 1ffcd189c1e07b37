// Draws a share of the whole as a bar behind the text (kShareRole), and a swatch in the colour of the row's activity
// (kActivityRole) before the text. Rows without these roles look as usual.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>
#include <QStyledItemDelegate>

#include "gui/theme/theme.hpp"

namespace trainwright::gui {

class BarDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit BarDelegate(const Theme& theme, QObject* parent = nullptr);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// The part of `cell` that a share covers, from the left; shares are clamped to 0 .. 1.
  [[nodiscard]] static QRect barRect(const QRect& cell, double share);

 private:
  const Theme& theme_;
};

}  // namespace trainwright::gui
