// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/inspector.hpp"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "gui/theme/tokens.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      heading_(new QLabel(this)),
      title_(new QLabel(this)),
      value_(new QLabel(this)),
      text_(new QLabel(this)),
      source_(new QLabel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid);
  layout->setSpacing(tokens::kGrid);
  heading_->setProperty("role", u"muted"_s);
  title_->setProperty("role", u"title"_s);
  source_->setProperty("role", u"muted"_s);
  for (QLabel* label : {heading_, title_, value_, text_, source_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(label);
  }
  layout->addStretch(1);
  refresh();
}

void Inspector::show(Explain explain) {
  explain_ = std::move(explain);
  refresh();
}

void Inspector::refresh() {
  heading_->setText(tr("Inspector"));
  const Explanation explanation = explain_ ? explain_()
                                           : Explanation{tr("Nothing selected"),
                                                         {},
                                                         tr("Click a part of a chart, a table row or a field to read "
                                                            "what it means and where its number comes from."),
                                                         {}};
  title_->setText(explanation.title);
  value_->setText(explanation.value);
  value_->setVisible(!explanation.value.isEmpty());
  text_->setText(explanation.text);
  source_->setText(explanation.source);
  source_->setVisible(!explanation.source.isEmpty());
}

void Inspector::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    refresh();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
