// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/mesh_view.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "model/hardware/cluster.hpp"
#include "model/plan/placement.hpp"

namespace trainwright::gui {
namespace {

constexpr int kCellHeight = 3 * tokens::kGrid;
constexpr int kGap = tokens::kGrid / 2;
constexpr int kMostNodes = 8;
constexpr int kMostCells = 16;
constexpr int kLine = 2 * tokens::kGrid + tokens::kGrid / 2;

}  // namespace

MeshView::MeshView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MeshView::setPlan(std::shared_ptr<const model::Plan> plan) {
  plan_ = std::move(plan);
  nodes_.clear();
  hiddenNodes_ = 0;
  if (plan_) {
    const model::Placement placement(plan_->layout, plan_->cluster);
    for (int i = 0; i < placement.world_size(); ++i) {
      const model::RankId rank(i);
      const auto node = model::node_of(plan_->cluster, placement.device(rank)).index();
      if (node >= static_cast<std::size_t>(kMostNodes)) {
        hiddenNodes_ = std::max(hiddenNodes_, static_cast<int>(node) + 1 - kMostNodes);
        continue;
      }
      if (node >= nodes_.size())
        nodes_.resize(node + 1);
      nodes_[node].push_back({rank, placement.coordinates(rank)});
    }
  }
  updateGeometry();
  update();
}

int MeshView::shownNodes() const {
  return static_cast<int>(nodes_.size());
}

QSize MeshView::sizeHint() const {
  return {36 * tokens::kGrid, std::max(shownNodes(), 1) * (kCellHeight + kGap) + kLine};
}

QSize MeshView::minimumSizeHint() const {
  return {20 * tokens::kGrid, sizeHint().height()};
}

QRect MeshView::cellRect(int node, int slot) const {
  std::size_t most = 1;
  for (const auto& cells : nodes_)
    most = std::max(most, cells.size());
  const int count = std::min(static_cast<int>(most), kMostCells);
  const int width = std::min((this->width() - kGap * (count - 1)) / count, 6 * tokens::kGrid);
  return {slot * (width + kGap), node * (kCellHeight + kGap), width, kCellHeight};
}

void MeshView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(theme_.font(Theme::TextSize::small));
  if (!plan_) {
    painter.setPen(theme_.color(tokens::kMuted));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                     tr("The mesh appears when the layout is valid."));
    return;
  }
  // Stages differ in hue around the accent, replicas alternate in strength.
  const QColor accent = theme_.color(tokens::kAccent);
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    for (std::size_t slot = 0; slot < std::min<std::size_t>(nodes_[node].size(), kMostCells); ++slot) {
      const model::Coordinates at = nodes_[node][slot].at;
      const double hue = std::fmod(accent.hsvHueF() + 0.13 * at.pp, 1.0);
      const double strength = (at.dp + at.cp) % 2 == 0 ? 0.38 : 0.20;
      const QColor fill =
          QColor::fromHsvF(static_cast<float>(hue), static_cast<float>(strength), theme_.isDark() ? 0.55F : 0.97F);
      const QRect cell = cellRect(static_cast<int>(node), static_cast<int>(slot));
      painter.setPen(theme_.color(tokens::kBorder));
      painter.setBrush(fill);
      painter.drawRoundedRect(cell, 3, 3);
      painter.setPen(Theme::textOn(fill));
      const QString label = QStringLiteral("P%1 D%2").arg(at.pp).arg(at.dp);
      const bool fits = painter.fontMetrics().horizontalAdvance(label) < cell.width() - 2;
      painter.drawText(cell, Qt::AlignCenter, fits ? label : QString::number(at.pp));
    }
  painter.setPen(theme_.color(tokens::kMuted));
  const QRect line(0, shownNodes() * (kCellHeight + kGap), width(), kLine);
  const QString text = hiddenNodes_ > 0
                           ? tr("Rows are nodes, %n more not shown; P stage, D replica.", nullptr, hiddenNodes_)
                           : tr("Rows are nodes, cells devices; P stage, D replica.");
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text);
}

bool MeshView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const QPoint pos = static_cast<QHelpEvent*>(event)->pos();
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      for (std::size_t slot = 0; slot < nodes_[node].size(); ++slot)
        if (cellRect(static_cast<int>(node), static_cast<int>(slot)).contains(pos)) {
          const Cell& cell = nodes_[node][slot];
          QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                             tr("rank %1, node %2: tp %3, cp %4, dp %5, stage %6")
                                 .arg(cell.rank.value())
                                 .arg(node)
                                 .arg(cell.at.tp)
                                 .arg(cell.at.cp)
                                 .arg(cell.at.dp)
                                 .arg(cell.at.pp),
                             this);
          return true;
        }
    QToolTip::hideText();
    return true;
  }
  if (event->type() == QEvent::LanguageChange)
    update();
  return QWidget::event(event);
}

}  // namespace trainwright::gui
