// Right side of the window: definition, formula and source of whatever is selected. Holds a function rather than a
// text, so that it speaks the language of the window after a switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <functional>

class QLabel;

namespace trainwright::gui {

struct Explanation {
  QString title;
  QString value;  ///< the figure on screen; may be empty
  QString text;
  QString source;  ///< where the numbers come from; may be empty
};
using Explain = std::function<Explanation()>;

class Inspector : public QWidget {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);

  void show(Explain explain);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();

  Explain explain_;
  QLabel* heading_;
  QLabel* title_;
  QLabel* value_;
  QLabel* text_;
  QLabel* source_;
};

}  // namespace trainwright::gui
