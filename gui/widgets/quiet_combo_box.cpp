// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/quiet_combo_box.hpp"

#include <QWheelEvent>

namespace trainwright::gui {

QuietComboBox::QuietComboBox(QWidget* parent) : QComboBox(parent) {
  setFocusPolicy(Qt::StrongFocus);
}

void QuietComboBox::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QComboBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace trainwright::gui
