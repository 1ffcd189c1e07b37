// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window/verdict_strip.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "gui/format/core_text.hpp"
#include "gui/models/labels.hpp"
#include "gui/widgets/chip.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

VerdictStrip::VerdictStrip(PlanningSession& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      session_(session),
      theme_(theme),
      verdict_(new QLabel(this)),
      message_(new QLabel(this)),
      memory_(new Chip(this)),
      step_(new Chip(this)),
      mfu_(new Chip(this)),
      bottleneck_(new Chip(this)),
      simulate_(new QPushButton(this)) {
  setProperty("role", u"strip"_s);
  setAttribute(Qt::WA_StyledBackground);
  verdict_->setObjectName(u"verdict"_s);
  message_->setObjectName(u"verdictMessage"_s);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  simulate_->setObjectName(u"simulate"_s);
  simulate_->setProperty("role", u"primary"_s);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(2 * tokens::kGrid, tokens::kGrid, 2 * tokens::kGrid, tokens::kGrid);
  layout->setSpacing(3 * tokens::kGrid);
  layout->addWidget(verdict_);
  for (Chip* chip : {memory_, step_, mfu_, bottleneck_})
    layout->addWidget(chip);
  layout->addWidget(message_, 1);
  layout->addWidget(simulate_);
  connect(simulate_, &QPushButton::clicked, &session, &PlanningSession::simulate);
  connect(&session, &PlanningSession::predicted, this, &VerdictStrip::refresh);
  connect(&session.jobs(), &JobRunner::jobsChanged, this,
          [this] { simulate_->setEnabled(session_.canSimulate() && !session_.jobs().isRunning(JobKind::simulation)); });
  connect(&theme, &Theme::changed, this, &VerdictStrip::refresh);
  refresh();
}

void VerdictStrip::setFormat(const DisplayFormat& format) {
  format_ = format;
  refresh();
}

QString VerdictStrip::verdict() const {
  return verdict_->text();
}

void VerdictStrip::refresh() {
  simulate_->setText(tr("Simulate"));
  simulate_->setToolTip(tr("Run the plan on the simulated network and show its timeline"));
  simulate_->setEnabled(session_.canSimulate() && !session_.jobs().isRunning(JobKind::simulation));
  verdict_->setFont(theme_.font(Theme::TextSize::large, true));
  const std::shared_ptr<const model::Estimate> estimate = session_.estimate();
  for (Chip* chip : {memory_, step_, mfu_, bottleneck_}) {
    chip->setVisible(estimate != nullptr);
    chip->setValueFont(theme_.font(Theme::TextSize::normal, true));
  }
  message_->setText({});
  memory_->setName(tr("memory per device"));
  step_->setName(tr("step (90 % interval)"));
  mfu_->setName(tr("MFU"));
  bottleneck_->setName(tr("bound by"));
  if (estimate)
    showEstimate(*estimate);
  else
    showProblems();
}

void VerdictStrip::showEstimate(const model::Estimate& estimate) {
  const tokens::Tone& tone = estimate.memory.verdict == model::MemoryVerdict::fits         ? tokens::kGood
                             : estimate.memory.verdict == model::MemoryVerdict::borderline ? tokens::kWarning
                                                                                           : tokens::kBad;
  verdict_->setStyleSheet(u"color: %1"_s.arg(theme_.color(tone).name()));
  verdict_->setText(Labels::name(estimate.memory.verdict));
  memory_->setValue(format_.bytesOf(estimate.memory.peak, estimate.memory.capacity));
  step_->setValue(format_.interval(estimate.step, estimate.step_low, estimate.step_high));
  mfu_->setValue(format_.percent(estimate.mfu, 1));
  bottleneck_->setValue(Labels::bottleneck(estimate.bottleneck));
}

void VerdictStrip::showProblems() {
  const auto& problems = session_.problems().list();
  const auto isError = [](const model::Diagnostic& problem) { return problem.severity == model::Severity::error; };
  const auto errors = std::count_if(problems.begin(), problems.end(), isError);
  if (errors == 0) {
    verdict_->setStyleSheet({});
    verdict_->setText(tr("Predicting"));
    return;
  }
  verdict_->setStyleSheet(u"color: %1"_s.arg(theme_.color(tokens::kBad).name()));
  verdict_->setText(tr("%n problem(s)", nullptr, static_cast<int>(errors)));
  const model::Diagnostic& first = *std::find_if(problems.begin(), problems.end(), isError);
  //: %1 name of a field, %2 what is wrong with it
  const QString text = tr("%1: %2").arg(Labels::name(fieldOf(first)), coreText(first.message));
  message_->setText(text);
  message_->setToolTip(text);
}

void VerdictStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    refresh();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
