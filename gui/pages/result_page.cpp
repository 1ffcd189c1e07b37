// SPDX-License-Identifier: Apache-2.0
#include "gui/pages/result_page.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/charts/breakdown_bar.hpp"
#include "gui/charts/legend.hpp"
#include "gui/charts/memory_chart.hpp"
#include "gui/delegates/bar_delegate.hpp"
#include "gui/format/core_text.hpp"
#include "gui/format/text.hpp"
#include "gui/models/labels.hpp"
#include "gui/widgets/card.hpp"
#include "gui/widgets/chip.hpp"
#include "gui/widgets/flat_table.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

ResultPage::ResultPage(PlanningSession& session, const Theme& theme, QWidget* parent)
    : QWidget(parent), session_(session), stack_(new QStackedWidget(this)), empty_(new QLabel(this)) {
  setObjectName(u"resultPage"_s);
  empty_->setProperty("role", u"muted"_s);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(buildContent(theme));
  stack_->addWidget(empty_);
  stack_->addWidget(scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  connect(&session, &PlanningSession::predicted, this, &ResultPage::refresh);
  connect(bar_, &BreakdownBar::partClicked, this, &ResultPage::explainPart);
  connect(chart_, &MemoryChart::termClicked, this, &ResultPage::explainTerm);
  retranslate();
}

QWidget* ResultPage::buildContent(const Theme& theme) {
  auto* inside = new QWidget;
  inside->setProperty("role", u"page"_s);

  auto* figuresCard = new Card(inside);
  auto* figures = new QHBoxLayout;
  figures->setSpacing(3 * tokens::kGrid);
  for (const Figure figure :
       {Figure::step, Figure::tokens, Figure::tokens_per_device, Figure::mfu, Figure::hfu, Figure::rate}) {
    auto* chip = new Chip(figuresCard);
    chip->setValueFont(theme.font(Theme::TextSize::large, true));
    figures_[figure] = chip;
    figures->addWidget(chip);
  }
  figures->addStretch(1);
  figuresCard->setTitle({});
  figuresCard->content()->addLayout(figures);

  breakdownCard_ = new Card(inside);
  bar_ = new BreakdownBar(breakdown_, theme, breakdownCard_);
  auto* parts = new FlatTable(breakdownCard_);
  parts->setObjectName(u"breakdownTable"_s);
  parts->setItemDelegate(new BarDelegate(theme, parts));
  parts->setModel(&breakdown_);
  parts->setStretchColumn(BreakdownModel::part_column, false);
  connect(parts, &QTableView::clicked, this, [this](const QModelIndex& index) { explainPart(index.row()); });
  breakdownCard_->content()->addWidget(bar_);
  breakdownCard_->content()->addWidget(parts);
  breakdownCard_->content()->addStretch(1);

  memoryCard_ = new Card(inside);
  chart_ = new MemoryChart(memory_, theme, memoryCard_);
  memoryLegend_ = new Legend(
      theme,
      [this, &theme] {
        std::vector<Legend::Entry> entries;
        for (const model::MemoryTerm term : memory_.terms())
          entries.push_back({Labels::name(term), QBrush(theme.memoryColor(term))});
        return entries;
      },
      memoryCard_);
  memoryCard_->content()->addWidget(chart_);
  memoryCard_->content()->addWidget(memoryLegend_);
  memoryCard_->content()->addStretch(1);

  whatIfCard_ = new Card(inside);
  auto* whatIfTable = new FlatTable(whatIfCard_);
  whatIfTable->setItemDelegate(new BarDelegate(theme, whatIfTable));
  whatIfTable->setModel(&whatIfs_);
  whatIfTable->setStretchColumn(WhatIfModel::resource_column, true);
  whatIfCard_->content()->addWidget(whatIfTable);
  whatIfCard_->content()->addStretch(1);

  adviceCard_ = new Card(inside);
  adviceTable_ = new FlatTable(adviceCard_);
  adviceTable_->setModel(&advice_);
  adviceTable_->setStretchColumn(AdviceModel::reason_column, true);
  noAdvice_ = new QLabel(adviceCard_);
  noAdvice_->setProperty("role", u"muted"_s);
  noAdvice_->setWordWrap(true);
  adviceCard_->content()->addWidget(adviceTable_);
  adviceCard_->content()->addWidget(noAdvice_);
  adviceCard_->content()->addStretch(1);

  assumptionsCard_ = new Card(inside);
  assumptions_ = new QLabel(assumptionsCard_);
  assumptions_->setObjectName(u"assumptions"_s);
  assumptions_->setWordWrap(true);
  assumptions_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  assumptionsCard_->content()->addWidget(assumptions_);

  auto* grid = new QGridLayout(inside);
  grid->setContentsMargins(2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid);
  grid->setSpacing(2 * tokens::kGrid);
  grid->addWidget(figuresCard, 0, 0, 1, 2);
  grid->addWidget(breakdownCard_, 1, 0);
  grid->addWidget(whatIfCard_, 1, 1);
  grid->addWidget(memoryCard_, 2, 0, 1, 2);
  grid->addWidget(adviceCard_, 3, 0, 1, 2);
  grid->addWidget(assumptionsCard_, 4, 0, 1, 2);
  grid->setRowStretch(5, 1);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  return inside;
}

void ResultPage::setFormat(const DisplayFormat& format) {
  format_ = format;
  breakdown_.setFormat(format);
  memory_.setFormat(format);
  whatIfs_.setFormat(format);
  advice_.setFormat(format);
  chart_->setFormat(format);
  refresh();
}

void ResultPage::refresh() {
  const std::shared_ptr<const model::Estimate> estimate = session_.estimate();
  breakdown_.setEstimate(estimate);
  memory_.setEstimate(estimate);
  whatIfs_.setEstimate(estimate);
  advice_.setEstimate(estimate);
  stack_->setCurrentIndex(estimate ? 1 : 0);
  empty_->setText(session_.problems().has_errors()
                      ? tr("There is no result: the scenario is refused. The Scenario page shows what is wrong at each "
                           "field, with a value that works.")
                      : tr("The first prediction is being computed."));
  if (!estimate)
    return;
  refreshFigures(*estimate, *session_.plan());
  refreshSentences(*estimate);
  memoryLegend_->updateGeometry();
}

void ResultPage::refreshFigures(const model::Estimate& estimate, const model::Plan& plan) {
  const double devices = model::world_size(plan.layout);
  figures_[Figure::step]->setValue(format_.interval(estimate.step, estimate.step_low, estimate.step_high));
  figures_[Figure::tokens]->setValue(format_.significant(estimate.tokens_per_second));
  figures_[Figure::tokens_per_device]->setValue(format_.significant(estimate.tokens_per_second / devices));
  figures_[Figure::mfu]->setValue(format_.percent(estimate.mfu, 1));
  figures_[Figure::hfu]->setValue(format_.percent(estimate.hfu, 1));
  figures_[Figure::rate]->setValue(format_.flopRate(estimate.model_rate_per_device));
}

void ResultPage::refreshSentences(const model::Estimate& estimate) {
  int largest = -1;
  for (int row = 0; row < breakdown_.rowCount(); ++row)
    if (largest < 0 || breakdown_.secondsAt(row) > breakdown_.secondsAt(largest))
      largest = row;
  if (largest >= 0)
    //: %1 step time, %2 name of the largest part, %3 its share
    breakdownCard_->setSentence(tr("The step takes %1 on its critical path; the largest part is %2 with %3.")
                                    .arg(format_.seconds(estimate.step), Labels::name(breakdown_.partAt(largest)),
                                         format_.percent(breakdown_.shareAt(largest))));
  //: %1 memory used and capacity, %2 verdict
  memoryCard_->setSentence(
      tr("The fullest stage needs %1 (dashed line: capacity of one device). %2.")
          .arg(format_.bytesOf(estimate.memory.peak, estimate.memory.capacity), Labels::name(estimate.memory.verdict)));
  whatIfCard_->setSentence(estimate.bottleneck.empty()
                               ? QString()
                               //: %1 what limits the step
                               : tr("The step is bound by %1.").arg(Labels::bottleneck(estimate.bottleneck)));
  const bool hasAdvice = !estimate.advice.empty();
  adviceTable_->setVisible(hasAdvice);
  noAdvice_->setVisible(!hasAdvice);
  QStringList lines;
  for (const std::string& assumption : session_.plan()->assumptions)
    lines << coreText(assumption);
  for (const std::string& assumption : estimate.assumptions)
    if (const QString line = coreText(assumption); !lines.contains(line))
      lines << line;
  for (QString& line : lines)
    line = u"• "_s + line;
  assumptions_->setText(lines.join(u'\n'));
  assumptionsCard_->setVisible(!lines.isEmpty());
}

void ResultPage::explainPart(int row) {
  const model::StepPart part = breakdown_.partAt(row);
  const model::Seconds time(breakdown_.secondsAt(row));
  const double share = breakdown_.shareAt(row);
  Q_EMIT explained([this, part, time, share] {
    return Explanation{Labels::name(part),
                       tr("%1, %2 of the step").arg(format_.seconds(time), format_.percent(share, 1)),
                       Labels::explanation(part), tr("Live estimate, closed form")};
  });
}

void ResultPage::explainTerm(int row, int column) {
  const model::MemoryTerm term = memory_.terms()[static_cast<std::size_t>(column - MemoryModel::first_term_column)];
  const model::StageMemory stage = memory_.stageAt(row);
  Q_EMIT explained([this, term, stage] {
    const model::ByteCount bytes = stage.terms[static_cast<std::size_t>(term)];
    return Explanation{
        Labels::name(term),
        //: %1 bytes, %2 number of the stage, %3 phase in which memory peaks
        tr("%1 on stage %2, at the peak in the %3 phase")
            .arg(format_.bytes(bytes), format_.integer(stage.stage.value()), Labels::phase(stage.peak_phase)),
        Labels::explanation(term), tr("Live estimate, closed form")};
  });
}

void ResultPage::retranslate() {
  struct Text {
    Figure figure;
    QString name;
    QString definition;
  };
  const std::array<Text, 6> texts{
      {{Figure::step, tr("step (90 % interval)"), tr("Time from the start of one step to the start of the next.")},
       {Figure::tokens, tr("tokens per second"), tr("Global batch x sequence length / step time.")},
       {Figure::tokens_per_device, tr("per device"), tr("Tokens per second divided by the number of devices.")},
       {Figure::mfu, tr("MFU"),
        tr("Model FLOP utilization: the model's own operations per second over the dense peak of the devices, without "
           "recomputation.")},
       {Figure::hfu, tr("HFU"), tr("Hardware FLOP utilization: as MFU, with recomputed operations counted.")},
       {Figure::rate, tr("per device, model"), tr("The model's own operations per second and device.")}}};
  for (const Text& text : texts) {
    figures_[text.figure]->setName(text.name);
    figures_[text.figure]->setDefinition(text.definition);
  }
  breakdownCard_->setTitle(tr("What the step is made of"));
  memoryCard_->setTitle(tr("What memory is made of at its peak"));
  whatIfCard_->setTitle(tr("What limits it"));
  adviceCard_->setTitle(tr("What to try next"));
  noAdvice_->setText(tr("No change is known that would help this plan."));
  assumptionsCard_->setTitle(tr("Assumed"));
  refresh();
}

void ResultPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
