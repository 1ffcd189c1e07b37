// A combo box that ignores the wheel unless it has the focus: scrolling a page must not change the scenario.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace trainwright::gui {

class QuietComboBox : public QComboBox {
  Q_OBJECT

 public:
  explicit QuietComboBox(QWidget* parent = nullptr);

 protected:
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace trainwright::gui
