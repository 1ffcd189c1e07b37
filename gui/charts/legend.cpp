// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/legend.hpp"

#include <QFontMetrics>
#include <QPainter>
#include <utility>

namespace trainwright::gui {
namespace {

constexpr int kSwatch = tokens::kGrid + tokens::kGrid / 2;
constexpr int kLine = 2 * tokens::kGrid + tokens::kGrid / 2;
constexpr int kGap = 2 * tokens::kGrid;

}  // namespace

Legend::Legend(const Theme& theme, Entries entries, QWidget* parent)
    : QWidget(parent), theme_(theme), entries_(std::move(entries)) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

std::vector<QRect> Legend::places(const std::vector<Entry>& entries, int width) const {
  const QFontMetrics metrics(theme_.font(Theme::TextSize::small));
  std::vector<QRect> rects;
  int x = 0;
  int y = 0;
  for (const Entry& entry : entries) {
    const int needed = kSwatch + tokens::kGrid / 2 + metrics.horizontalAdvance(entry.name) + 2;
    if (x > 0 && x + needed > width) {
      x = 0;
      y += kLine;
    }
    rects.emplace_back(x, y, needed, kLine);
    x += needed + kGap;
  }
  return rects;
}

int Legend::heightForWidth(int width) const {
  const std::vector<QRect> rects = places(entries_(), width);
  return rects.empty() ? 0 : rects.back().bottom() + 1;
}

QSize Legend::sizeHint() const {
  return {40 * tokens::kGrid, heightForWidth(width() > 0 ? width() : 40 * tokens::kGrid)};
}

void Legend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(theme_.font(Theme::TextSize::small));
  const std::vector<Entry> entries = entries_();
  const std::vector<QRect> rects = places(entries, width());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const QRect swatch(rects[i].left(), rects[i].center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter.fillRect(swatch, entries[i].brush);
    painter.setPen(theme_.color(tokens::kText));
    painter.drawText(rects[i].adjusted(kSwatch + tokens::kGrid / 2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     entries[i].name);
  }
}

}  // namespace trainwright::gui
