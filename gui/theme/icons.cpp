// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/icons.hpp"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace trainwright::gui {
namespace {

// Paths on a 24 x 24 grid.
QPainterPath outline(IconShape shape) {
  QPainterPath path;
  switch (shape) {
    case IconShape::scenario:
      path.addRoundedRect(3, 4, 8, 7, 1.5, 1.5);
      path.addRoundedRect(13, 4, 8, 7, 1.5, 1.5);
      path.addRoundedRect(3, 13, 8, 7, 1.5, 1.5);
      path.addRoundedRect(13, 13, 8, 7, 1.5, 1.5);
      break;
    case IconShape::result:
      path.moveTo(4, 20);
      path.lineTo(20, 20);
      path.addRect(5, 12, 3, 8);
      path.addRect(10.5, 5, 3, 15);
      path.addRect(16, 9, 3, 11);
      break;
    case IconShape::timeline:
      path.addRect(3, 5, 9, 3);
      path.addRect(9, 10.5, 8, 3);
      path.addRect(14, 16, 7, 3);
      break;
    case IconShape::undo:
    case IconShape::redo:
      path.moveTo(5, 9);
      path.lineTo(14, 9);
      path.arcTo(9, 9, 10, 9, 90, -180);
      path.lineTo(9, 18);
      path.moveTo(9, 5);
      path.lineTo(5, 9);
      path.lineTo(9, 13);
      break;
    case IconShape::theme:
      path.addEllipse(QPointF(12, 12), 8, 8);
      path.moveTo(12, 4);
      path.lineTo(12, 20);
      break;
    case IconShape::open:
      path.moveTo(3, 19);
      path.lineTo(3, 6);
      path.lineTo(9, 6);
      path.lineTo(11, 8);
      path.lineTo(20, 8);
      path.lineTo(20, 19);
      path.closeSubpath();
      break;
  }
  return path;
}

}  // namespace

QIcon makeIcon(IconShape shape, const QColor& color) {
  constexpr int kGrid = 24;
  constexpr int kScale = 2;  // drawn at twice the size, so that it stays sharp on dense screens
  QPixmap pixmap(kGrid * kScale, kGrid * kScale);
  pixmap.setDevicePixelRatio(kScale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  if (shape == IconShape::redo) {
    painter.translate(kGrid, 0);
    painter.scale(-1, 1);
  }
  painter.drawPath(outline(shape));
  return QIcon(pixmap);
}

}  // namespace trainwright::gui
