// One field of a form: name, editor, and below them what is wrong with it and a button that mends it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace trainwright::gui {

class FieldRow : public QWidget {
  Q_OBJECT

 public:
  /// Takes ownership of `editor`.
  explicit FieldRow(QWidget* editor, QWidget* parent = nullptr);

  void setName(const QString& name);
  void setDefinition(const QString& definition);
  /// Empty hides it. `isWarning`: valid, but worth knowing.
  void setProblem(const QString& text, bool isWarning);
  /// Text of the button; empty hides it.
  void setFix(const QString& text);
  [[nodiscard]] bool hasProblem() const;
  [[nodiscard]] QString problem() const;

 Q_SIGNALS:
  void fixRequested();
  /// The user is at this field: the inspector may explain it.
  void entered();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLabel* name_;
  QLabel* problem_;
  QPushButton* fix_;
  QWidget* editor_;
};

}  // namespace trainwright::gui
