// SPDX-License-Identifier: Apache-2.0
#include "gui/app/composition.hpp"

#include <QApplication>
#include <utility>

namespace trainwright::gui {

Composition::Composition(QApplication& application, std::unique_ptr<Settings> settings, Services services,
                         ScenarioInputs first, MainWindow::AskForFile ask)
    : settings_(std::move(settings)),
      session_(std::move(services), std::move(first)),
      window_(session_, *settings_, theme_, std::move(ask)) {
  const auto useLanguage = [this](const QString& language) {
    languages_.use(language);
    window_.setFormat(languages_.format());
  };
  QObject::connect(settings_.get(), &Settings::languageChanged, &window_, useLanguage);
  QObject::connect(settings_.get(), &Settings::themeModeChanged, &window_,
                   [this, &application] { theme_.apply(application, settings_->themeMode()); });
  theme_.apply(application, settings_->themeMode());
  if (settings_->language().isEmpty())
    settings_->setLanguage(Languages::systemLanguage());
  useLanguage(settings_->language());
}

}  // namespace trainwright::gui
