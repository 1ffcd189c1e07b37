// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window/title_strip.hpp"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "gui/pages/scenario_facts.hpp"
#include "gui/theme/icons.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

TitleStrip::TitleStrip(PlanningSession& session, Settings& settings, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      session_(session),
      settings_(settings),
      theme_(theme),
      scenario_(new QLabel(this)),
      open_(new QToolButton(this)),
      undo_(new QToolButton(this)),
      redo_(new QToolButton(this)),
      themeButton_(new QToolButton(this)),
      language_(new QComboBox(this)) {
  setProperty("role", u"strip"_s);
  setAttribute(Qt::WA_StyledBackground);
  scenario_->setObjectName(u"scenarioLine"_s);
  scenario_->setProperty("role", u"title"_s);
  scenario_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  language_->setObjectName(u"languageSwitch"_s);
  language_->addItem(u"English"_s, u"en"_s);
  language_->addItem(QString::fromUtf16(u"中文"), u"zh_CN"_s);
  open_->setShortcut(QKeySequence::Open);
  undo_->setObjectName(u"undo"_s);
  undo_->setShortcut(QKeySequence::Undo);
  redo_->setObjectName(u"redo"_s);
  redo_->setShortcut(QKeySequence::Redo);
  themeButton_->setObjectName(u"themeSwitch"_s);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(2 * tokens::kGrid, tokens::kGrid, 2 * tokens::kGrid, tokens::kGrid);
  layout->setSpacing(tokens::kGrid);
  layout->addWidget(scenario_, 1);
  for (QToolButton* button : {open_, undo_, redo_, themeButton_}) {
    button->setAutoRaise(true);
    layout->addWidget(button);
  }
  layout->addWidget(language_);

  connect(open_, &QToolButton::clicked, this, &TitleStrip::openRequested);
  connect(undo_, &QToolButton::clicked, &session, &PlanningSession::undo);
  connect(redo_, &QToolButton::clicked, &session, &PlanningSession::redo);
  connect(themeButton_, &QToolButton::clicked, this,
          [this] { settings_.setThemeMode(theme_.isDark() ? ThemeMode::light : ThemeMode::dark); });
  connect(language_, &QComboBox::activated, this,
          [this](int index) { settings_.setLanguage(language_->itemData(index).toString()); });
  connect(&settings, &Settings::languageChanged, this,
          [this](const QString& language) { language_->setCurrentIndex(language_->findData(language)); });
  connect(&session, &PlanningSession::inputsChanged, this, &TitleStrip::refresh);
  connect(&session, &PlanningSession::predicted, this, &TitleStrip::refresh);
  connect(&theme, &Theme::changed, this, &TitleStrip::refreshIcons);
  language_->setCurrentIndex(std::max(language_->findData(settings.language()), 0));
  refreshIcons();
  retranslate();
}

void TitleStrip::setFormat(const DisplayFormat& format) {
  format_ = format;
  refresh();
}

void TitleStrip::refresh() {
  undo_->setEnabled(session_.canUndo());
  redo_->setEnabled(session_.canRedo());
  if (const auto plan = session_.plan())
    scenario_->setText(scenarioLine(*plan, format_));
  else
    scenario_->setText(tr("No valid scenario"));
}

void TitleStrip::refreshIcons() {
  const QColor color = theme_.color(tokens::kText);
  open_->setIcon(makeIcon(IconShape::open, color));
  undo_->setIcon(makeIcon(IconShape::undo, color));
  redo_->setIcon(makeIcon(IconShape::redo, color));
  themeButton_->setIcon(makeIcon(IconShape::theme, color));
}

void TitleStrip::retranslate() {
  open_->setToolTip(tr("Open a plan, a model or a cluster (or drop the file on the window)"));
  undo_->setToolTip(tr("Undo"));
  redo_->setToolTip(tr("Redo"));
  themeButton_->setToolTip(tr("Light or dark"));
  language_->setToolTip(tr("Language"));
  refresh();
}

void TitleStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
