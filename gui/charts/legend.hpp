// Swatches with names, for the activities or memory terms that a picture shows; wraps over lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBrush>
#include <QWidget>
#include <functional>
#include <vector>

#include "gui/theme/theme.hpp"

namespace trainwright::gui {

class Legend : public QWidget {
  Q_OBJECT

 public:
  struct Entry {
    QString name;
    QBrush brush;
  };
  /// Asked on each paint, so that language and theme are always those in force.
  using Entries = std::function<std::vector<Entry>()>;

  Legend(const Theme& theme, Entries entries, QWidget* parent = nullptr);

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] std::vector<QRect> places(const std::vector<Entry>& entries, int width) const;

  const Theme& theme_;
  Entries entries_;
};

}  // namespace trainwright::gui
