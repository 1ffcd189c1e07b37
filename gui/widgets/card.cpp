// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/card.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include "gui/theme/tokens.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

Card::Card(QWidget* parent) : QFrame(parent), title_(new QLabel(this)), sentence_(new QLabel(this)) {
  setProperty("role", u"card"_s);
  title_->setProperty("role", u"title"_s);
  sentence_->setProperty("role", u"muted"_s);
  sentence_->setWordWrap(true);
  sentence_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * tokens::kGrid, tokens::kGrid + tokens::kGrid / 2, 2 * tokens::kGrid,
                             tokens::kGrid + tokens::kGrid / 2);
  layout->setSpacing(tokens::kGrid);
  layout->addWidget(title_);
  layout->addWidget(sentence_);
  content_ = new QVBoxLayout;
  content_->setSpacing(tokens::kGrid);
  layout->addLayout(content_, 1);
}

void Card::setTitle(const QString& title) {
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
}

void Card::setSentence(const QString& sentence) {
  sentence_->setText(sentence);
  sentence_->setVisible(!sentence.isEmpty());
}

}  // namespace trainwright::gui
