// A titled panel with one sentence on what it shows, and room for content below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace trainwright::gui {

class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(QWidget* parent = nullptr);

  void setTitle(const QString& title);  ///< empty hides the line
  /// Empty hides the line.
  void setSentence(const QString& sentence);
  [[nodiscard]] QVBoxLayout* content() const { return content_; }

 private:
  QLabel* title_;
  QLabel* sentence_;
  QVBoxLayout* content_;
};

}  // namespace trainwright::gui
