// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/theme.hpp"

#include <QApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyleFactory>
#include <cmath>

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kMiddleLightness = 128;

/// A tile of the base colour with marks in a lighter or darker shade, so that the pattern survives any zoom.
QPixmap patternTile(const QColor& base, tokens::Pattern pattern) {
  constexpr int kTile = 8;
  QPixmap tile(kTile, kTile);
  tile.fill(base);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor mark = base.lightness() > kMiddleLightness ? base.darker(135) : base.lighter(150);
  painter.setPen(QPen(mark, 1.4));
  switch (pattern) {
    case tokens::Pattern::diagonal:
      painter.drawLine(-1, 9, 9, -1);
      painter.drawLine(-5, 5, 5, -5);
      painter.drawLine(3, 13, 13, 3);
      break;
    case tokens::Pattern::cross:
      painter.drawLine(0, 0, kTile, kTile);
      painter.drawLine(0, kTile, kTile, 0);
      break;
    case tokens::Pattern::dots:
      painter.setPen(Qt::NoPen);
      painter.setBrush(mark);
      painter.drawEllipse(QPointF(2, 2), 1.3, 1.3);
      painter.drawEllipse(QPointF(6, 6), 1.3, 1.3);
      break;
    case tokens::Pattern::horizontal:
      painter.drawLine(0, 2, kTile, 2);
      painter.drawLine(0, 6, kTile, 6);
      break;
    case tokens::Pattern::solid:
      break;
  }
  return tile;
}

}  // namespace

Theme::Theme(QObject* parent)
    : QObject(parent),
      systemDark_(qApp != nullptr &&
                  QGuiApplication::palette().color(QPalette::Window).lightness() < kMiddleLightness) {
  dark_ = systemDark_;
  refreshBrushes();
}

QColor Theme::color(const tokens::Tone& tone) const {
  return QColor::fromRgb(dark_ ? tone.dark : tone.light);
}

QColor Theme::activityColor(Activity activity) const {
  return color(tokens::kActivities[static_cast<std::size_t>(activity)].tone);
}

QBrush Theme::activityBrush(Activity activity) const {
  return brushes_[static_cast<std::size_t>(activity)];
}

void Theme::refreshBrushes() {
  for (std::size_t i = 0; i < kActivityCount; ++i) {
    const tokens::ActivityLook& look = tokens::kActivities[i];
    brushes_[i] = look.pattern == tokens::Pattern::solid ? QBrush(color(look.tone))
                                                         : QBrush(patternTile(color(look.tone), look.pattern));
  }
}

QColor Theme::memoryColor(model::MemoryTerm term) const {
  return color(tokens::kMemoryTerms[static_cast<std::size_t>(term)]);
}

QFont Theme::font(TextSize size, bool bold) const {
  QFont font = QGuiApplication::font();
  font.setPointSizeF(size == TextSize::small    ? tokens::kSmallPoints
                     : size == TextSize::normal ? tokens::kNormalPoints
                                                : tokens::kLargePoints);
  font.setBold(bold);
  return font;
}

QColor Theme::textOn(const QColor& background) {
  // Relative luminance of WCAG 2.1; the two contrasts are equal at 0.179.
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  const double luminance =
      0.2126 * linear(background.redF()) + 0.7152 * linear(background.greenF()) + 0.0722 * linear(background.blueF());
  return luminance > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

void Theme::apply(QApplication& application, ThemeMode mode) {
  dark_ = mode == ThemeMode::dark || (mode == ThemeMode::system && systemDark_);
  refreshBrushes();
  QPalette palette;
  palette.setColor(QPalette::Window, color(tokens::kWindow));
  palette.setColor(QPalette::WindowText, color(tokens::kText));
  palette.setColor(QPalette::Base, color(tokens::kSurface));
  palette.setColor(QPalette::AlternateBase, color(tokens::kWindow));
  palette.setColor(QPalette::Text, color(tokens::kText));
  palette.setColor(QPalette::PlaceholderText, color(tokens::kMuted));
  palette.setColor(QPalette::Button, color(tokens::kSurface));
  palette.setColor(QPalette::ButtonText, color(tokens::kText));
  palette.setColor(QPalette::ToolTipBase, color(tokens::kSurface));
  palette.setColor(QPalette::ToolTipText, color(tokens::kText));
  palette.setColor(QPalette::Highlight, color(tokens::kAccent));
  palette.setColor(QPalette::HighlightedText, color(tokens::kOnAccent));
  palette.setColor(QPalette::Link, color(tokens::kAccent));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, color(tokens::kMuted));
  application.setStyle(QStyleFactory::create(u"Fusion"_s));
  application.setPalette(palette);
  QFont font = application.font();
  font.setPointSizeF(tokens::kNormalPoints);
  application.setFont(font);
  application.setStyleSheet(styleSheet());
  Q_EMIT changed();
}

QString Theme::styleSheet() const {
  const auto name = [this](const tokens::Tone& tone) { return color(tone).name(); };
  return u"QFrame[role=\"card\"] { background: %1; border: 1px solid %2; border-radius: 6px; }"
         u"QLabel[role=\"title\"] { font-weight: bold; }"
         u"QLabel[role=\"muted\"] { color: %3; }"
         u"QLabel[role=\"problem\"] { color: %4; }"
         u"QLabel[role=\"warning\"] { color: %5; }"
         u"QWidget[role=\"rail\"] { background: %6; }"
         u"QWidget[role=\"strip\"] { background: %1; border-bottom: 1px solid %2; }"
         u"QToolButton[role=\"rail\"] { border: none; border-radius: 6px; padding: 6px 2px; color: %3; }"
         u"QToolButton[role=\"rail\"]:checked { background: %1; color: %7; font-weight: bold; }"
         u"QToolButton[role=\"rail\"]:hover { color: %7; }"
         u"QPushButton[role=\"primary\"] { background: %7; color: %8; border: none; border-radius: 4px; padding: 6px "
         u"16px; }"
         u"QPushButton[role=\"primary\"]:disabled { background: %2; color: %3; }"
         u"QPushButton[role=\"fix\"] { color: %7; border: 1px solid %7; border-radius: 4px; padding: 2px 8px; }"
         u"QScrollArea, QScrollArea > QWidget > QWidget[role=\"page\"] { background: transparent; border: none; }"
         u"QTableView, QTreeView { border: none; background: transparent; gridline-color: %2; }"
         u"QHeaderView::section { background: transparent; border: none; border-bottom: 1px solid %2; color: %3; "
         u"padding: 4px 8px; }"
         u"QToolTip { background: %1; color: %9; border: 1px solid %2; padding: 4px; }"_s.arg(
             name(tokens::kSurface), name(tokens::kBorder), name(tokens::kMuted), name(tokens::kBad),
             name(tokens::kWarning), name(tokens::kRail), name(tokens::kAccent), name(tokens::kOnAccent),
             name(tokens::kText));
}

}  // namespace trainwright::gui
