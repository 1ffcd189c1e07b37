// One figure with its name below: "412 ms" over "step time".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;

namespace trainwright::gui {

class Chip : public QWidget {
  Q_OBJECT

 public:
  explicit Chip(QWidget* parent = nullptr);

  void setValue(const QString& value);
  void setName(const QString& name);
  /// Definition, on hover.
  void setDefinition(const QString& definition);
  void setValueFont(const QFont& font);

 private:
  QLabel* value_;
  QLabel* name_;
};

}  // namespace trainwright::gui
