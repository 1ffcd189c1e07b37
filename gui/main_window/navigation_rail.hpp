// The rail on the left: one button for each page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QButtonGroup>
#include <QWidget>
#include <vector>

#include "gui/theme/icons.hpp"
#include "gui/theme/theme.hpp"

class QToolButton;
class QVBoxLayout;

namespace trainwright::gui {

class NavigationRail : public QWidget {
  Q_OBJECT

 public:
  explicit NavigationRail(const Theme& theme, QWidget* parent = nullptr);

  /// Appends a page; its index is the number of pages before.
  void addPage(IconShape icon, const QString& objectName);
  void setPageName(int page, const QString& name);
  void setCurrent(int page);
  [[nodiscard]] int current() const;

 Q_SIGNALS:
  void pageChosen(int page);

 private:
  void refreshIcons();

  const Theme& theme_;
  QButtonGroup group_;
  QVBoxLayout* layout_;
  std::vector<std::pair<QToolButton*, IconShape>> pages_;
};

}  // namespace trainwright::gui
