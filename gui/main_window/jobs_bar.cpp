// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window/jobs_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

#include "gui/theme/tokens.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

JobsBar::JobsBar(PlanningSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      text_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      left_(new QLabel(this)),
      cancel_(new QPushButton(this)),
      message_(new QLabel(this)),
      closeMessage_(new QToolButton(this)) {
  setProperty("role", u"strip"_s);
  setAttribute(Qt::WA_StyledBackground);
  cancel_->setObjectName(u"cancelJob"_s);
  message_->setObjectName(u"message"_s);
  message_->setProperty("role", u"problem"_s);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  constexpr int kSteps = 1000;
  progress_->setRange(0, kSteps);
  progress_->setTextVisible(false);
  progress_->setMaximumWidth(30 * tokens::kGrid);
  closeMessage_->setText(u"×"_s);
  closeMessage_->setAutoRaise(true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(2 * tokens::kGrid, tokens::kGrid / 2, 2 * tokens::kGrid, tokens::kGrid / 2);
  layout->setSpacing(2 * tokens::kGrid);
  for (QWidget* widget : {static_cast<QWidget*>(text_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(left_),
                          static_cast<QWidget*>(cancel_)})
    layout->addWidget(widget);
  layout->addWidget(message_, 1);
  layout->addWidget(closeMessage_);
  layout->addStretch(0);
  connect(cancel_, &QPushButton::clicked, this, [this] { session_.jobs().cancel(shown_); });
  connect(closeMessage_, &QToolButton::clicked, this, [this] {
    message_->clear();
    refresh();
  });
  connect(&session.jobs(), &JobRunner::jobsChanged, this, &JobsBar::refresh);
  refresh();
}

void JobsBar::setFormat(const DisplayFormat& format) {
  format_ = format;
  refresh();
}

void JobsBar::showMessage(const QString& message) {
  message_->setText(message);
  refresh();
}

QString JobsBar::message() const {
  return message_->text();
}

void JobsBar::refresh() {
  cancel_->setText(tr("Cancel"));
  closeMessage_->setToolTip(tr("Close the message"));
  constexpr double kNoticeableSeconds = 0.4;
  const JobStatus* running = nullptr;
  const std::vector<JobStatus> jobs = session_.jobs().jobs();
  for (const JobStatus& job : jobs)
    if (job.kind == JobKind::simulation || job.secondsElapsed > kNoticeableSeconds)
      running = &job;
  for (QWidget* widget : {static_cast<QWidget*>(text_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(left_),
                          static_cast<QWidget*>(cancel_)})
    widget->setVisible(running != nullptr);
  const bool hasMessage = !message_->text().isEmpty();
  message_->setVisible(hasMessage);
  closeMessage_->setVisible(hasMessage);
  setVisible(running != nullptr || hasMessage);
  if (running == nullptr) {
    text_->clear();
    left_->clear();
    return;
  }
  shown_ = running->kind;
  switch (running->kind) {
    case JobKind::prediction:
      text_->setText(tr("Predicting"));
      break;
    case JobKind::simulation:
      text_->setText(tr("Simulating, %1").arg(format_.percent(running->progress)));
      break;
    case JobKind::file:
      text_->setText(tr("Reading the file"));
      break;
  }
  progress_->setValue(static_cast<int>(std::lround(running->progress * progress_->maximum())));
  //: %1 a duration such as "12 s"
  left_->setText(running->secondsLeft ? tr("%1 left").arg(format_.seconds(model::Seconds(*running->secondsLeft), 2))
                                      : QString());
}

void JobsBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    refresh();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
