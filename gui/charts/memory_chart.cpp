// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/memory_chart.hpp"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"
#include "gui/models/timeline_viewport.hpp"

namespace trainwright::gui {
namespace {

constexpr int kBarPixels = 4 * tokens::kGrid;
constexpr int kAxisPixels = 9 * tokens::kGrid;
constexpr int kMostBars = 64;

}  // namespace

MemoryChart::MemoryChart(const MemoryModel& model, const Theme& theme, QWidget* parent)
    : QChartView(parent), model_(model), theme_(theme) {
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setBackgroundBrush(Qt::NoBrush);
  setStyleSheet(QStringLiteral("background: transparent"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&model, &QAbstractItemModel::modelReset, this, &MemoryChart::rebuild);
  connect(&theme, &Theme::changed, this, &MemoryChart::rebuild);
  rebuild();
}

void MemoryChart::setFormat(const DisplayFormat& format) {
  format_ = format;
  rebuild();
}

void MemoryChart::rebuild() {
  auto* fresh = new QChart;
  fresh->setBackgroundVisible(false);
  fresh->setMargins({0, 0, 0, 0});
  fresh->legend()->hide();
  fresh->layout()->setContentsMargins(0, 0, 0, 0);

  const int stages = std::min(model_.rowCount(), kMostBars);
  double largest = static_cast<double>(model_.capacity().count());
  for (int row = 0; row < stages; ++row)
    largest = std::max(largest, static_cast<double>(model_.stageAt(row).peak.count()));
  const DisplayUnit unit = DisplayFormat::byteUnit(model::ByteCount(static_cast<std::int64_t>(largest)));

  auto* bars = new QHorizontalStackedBarSeries;
  bars->setBarWidth(0.7);
  for (std::size_t i = 0; i < model_.terms().size(); ++i) {
    const model::MemoryTerm term = model_.terms()[i];
    const int column = MemoryModel::first_term_column + static_cast<int>(i);
    auto* set = new QBarSet(Labels::name(term));
    set->setColor(theme_.memoryColor(term));
    set->setBorderColor(theme_.color(tokens::kSurface));
    // A category axis counts from below; the first stage belongs on top.
    for (int row = stages - 1; row >= 0; --row)
      *set << model_.index(row, column).data(kSortRole).toDouble() / unit.scale;
    connect(set, &QBarSet::clicked, this,
            [this, stages, column](int index) { Q_EMIT termClicked(stages - 1 - index, column); });
    bars->append(set);
  }
  fresh->addSeries(bars);

  QFont font = theme_.font(Theme::TextSize::small);
  auto* stageAxis = new QBarCategoryAxis;
  for (int row = stages - 1; row >= 0; --row)
    stageAxis->append(tr("stage %1").arg(model_.index(row, MemoryModel::stage_column).data().toString()));
  auto* byteAxis = new QValueAxis;
  const double top = std::max(largest / unit.scale * 1.06, 1e-9);
  const double step = tickStep(top, 6);
  byteAxis->setRange(0.0, std::ceil(top / step) * step);
  byteAxis->setTickType(QValueAxis::TicksDynamic);
  byteAxis->setTickInterval(step);
  byteAxis->setLabelFormat(step < 1.0 ? QStringLiteral("%.2f") : QStringLiteral("%.0f"));
  //: axis title, %1 is a unit such as GB
  byteAxis->setTitleText(tr("Memory per device (%1)").arg(unit.symbol));
  for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(stageAxis), static_cast<QAbstractAxis*>(byteAxis)}) {
    axis->setLabelsFont(font);
    axis->setTitleFont(font);
    axis->setLabelsColor(theme_.color(tokens::kText));
    axis->setTitleBrush(theme_.color(tokens::kMuted));
    axis->setLinePen(QPen(theme_.color(tokens::kBorder)));
    axis->setGridLinePen(QPen(theme_.color(tokens::kBorder), 1, Qt::DotLine));
  }
  stageAxis->setGridLineVisible(false);
  fresh->addAxis(byteAxis, Qt::AlignBottom);
  fresh->addAxis(stageAxis, Qt::AlignLeft);
  bars->attachAxis(byteAxis);
  bars->attachAxis(stageAxis);

  if (model_.capacity().count() > 0) {
    auto* line = new QLineSeries;
    const double capacity = static_cast<double>(model_.capacity().count()) / unit.scale;
    line->append(capacity, 0.0);
    line->append(capacity, 1.0);
    line->setPen(QPen(theme_.color(tokens::kBad), 2, Qt::DashLine));
    auto* lineAxis = new QValueAxis;
    lineAxis->setRange(0.0, 1.0);
    lineAxis->setVisible(false);
    fresh->addSeries(line);
    fresh->addAxis(lineAxis, Qt::AlignRight);
    line->attachAxis(byteAxis);
    line->attachAxis(lineAxis);
  }
  QChart* old = chart();
  setChart(fresh);
  delete old;
  setFixedHeight(std::max(stages, 1) * kBarPixels + kAxisPixels);
}

void MemoryChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    rebuild();
  QChartView::changeEvent(event);
}

void MemoryChart::wheelEvent(QWheelEvent* event) {
  event->ignore();
}  // the page scrolls, not the chart

}  // namespace trainwright::gui
