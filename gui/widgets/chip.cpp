// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/chip.hpp"

#include <QLabel>
#include <QVBoxLayout>

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

Chip::Chip(QWidget* parent) : QWidget(parent), value_(new QLabel(this)), name_(new QLabel(this)) {
  value_->setObjectName(u"value"_s);
  name_->setProperty("role", u"muted"_s);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(value_);
  layout->addWidget(name_);
}

void Chip::setValue(const QString& value) {
  value_->setText(value);
}
void Chip::setName(const QString& name) {
  name_->setText(name);
}
void Chip::setDefinition(const QString& definition) {
  setToolTip(definition);
}
void Chip::setValueFont(const QFont& font) {
  value_->setFont(font);
}

}  // namespace trainwright::gui
