// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window/navigation_rail.hpp"

#include <QKeySequence>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

NavigationRail::NavigationRail(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), layout_(new QVBoxLayout(this)) {
  setProperty("role", u"rail"_s);
  setAttribute(Qt::WA_StyledBackground);
  constexpr int kWidth = 11 * tokens::kGrid;
  setFixedWidth(kWidth);
  layout_->setContentsMargins(tokens::kGrid / 2, tokens::kGrid, tokens::kGrid / 2, tokens::kGrid);
  layout_->setSpacing(tokens::kGrid / 2);
  layout_->addStretch(1);
  connect(&group_, &QButtonGroup::idClicked, this, &NavigationRail::pageChosen);
  connect(&theme, &Theme::changed, this, &NavigationRail::refreshIcons);
}

void NavigationRail::addPage(IconShape icon, const QString& objectName) {
  auto* button = new QToolButton(this);
  button->setObjectName(objectName);
  button->setProperty("role", u"rail"_s);
  button->setCheckable(true);
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setIconSize({24, 24});
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const int page = static_cast<int>(pages_.size());
  button->setShortcut(QKeySequence(u"Ctrl+%1"_s.arg(page + 1)));
  group_.addButton(button, page);
  layout_->insertWidget(page, button);
  pages_.emplace_back(button, icon);
  refreshIcons();
}

void NavigationRail::setPageName(int page, const QString& name) {
  QToolButton* button = pages_[static_cast<std::size_t>(page)].first;
  const QKeySequence shortcut = button->shortcut();
  button->setText(name);
  button->setShortcut(shortcut);  // setText clears it
}

void NavigationRail::setCurrent(int page) {
  group_.button(page)->setChecked(true);
}

int NavigationRail::current() const {
  return group_.checkedId();
}

void NavigationRail::refreshIcons() {
  for (const auto& [button, icon] : pages_)
    button->setIcon(makeIcon(icon, theme_.color(tokens::kText)));
}

}  // namespace trainwright::gui
