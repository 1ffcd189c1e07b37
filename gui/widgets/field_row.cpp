// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/field_row.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "gui/theme/tokens.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

FieldRow::FieldRow(QWidget* editor, QWidget* parent)
    : QWidget(parent),
      name_(new QLabel(this)),
      problem_(new QLabel(this)),
      fix_(new QPushButton(this)),
      editor_(editor) {
  constexpr int kNameWidth = 20 * tokens::kGrid;
  name_->setMinimumWidth(kNameWidth);
  name_->setBuddy(editor);
  problem_->setObjectName(u"problem"_s);
  problem_->setWordWrap(true);
  problem_->hide();
  fix_->setObjectName(u"fix"_s);
  fix_->setProperty("role", u"fix"_s);
  fix_->setCursor(Qt::PointingHandCursor);
  fix_->hide();
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(tokens::kGrid);
  layout->setVerticalSpacing(tokens::kGrid / 2);
  layout->addWidget(name_, 0, 0);
  layout->addWidget(editor, 0, 1);
  layout->addWidget(problem_, 1, 0, 1, 2);
  layout->addWidget(fix_, 2, 0, 1, 2, Qt::AlignLeft);
  layout->setColumnStretch(1, 1);
  editor->installEventFilter(this);
  connect(fix_, &QPushButton::clicked, this, &FieldRow::fixRequested);
}

void FieldRow::setName(const QString& name) {
  name_->setText(name);
  editor_->setAccessibleName(name);
}

void FieldRow::setDefinition(const QString& definition) {
  name_->setToolTip(definition);
  editor_->setToolTip(definition);
}

void FieldRow::setProblem(const QString& text, bool isWarning) {
  problem_->setText(text);
  problem_->setVisible(!text.isEmpty());
  problem_->setProperty("role", isWarning ? u"warning"_s : u"problem"_s);
  problem_->style()->unpolish(problem_);
  problem_->style()->polish(problem_);
}

void FieldRow::setFix(const QString& text) {
  fix_->setText(text);
  fix_->setVisible(!text.isEmpty());
}

bool FieldRow::hasProblem() const {
  return !problem_->text().isEmpty();
}
QString FieldRow::problem() const {
  return problem_->text();
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == editor_ && event->type() == QEvent::FocusIn)
    Q_EMIT entered();
  return QWidget::eventFilter(watched, event);
}

}  // namespace trainwright::gui
