// SPDX-License-Identifier: Apache-2.0
#include "gui/settings/settings.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

const QString kLanguageKey = u"language"_s;
const QString kThemeKey = u"theme"_s;
const QString kFolderKey = u"lastFolder"_s;
const QString kGuideKey = u"showsGuide"_s;

QString word(ThemeMode mode) {
  switch (mode) {
    case ThemeMode::light:
      return u"light"_s;
    case ThemeMode::dark:
      return u"dark"_s;
    case ThemeMode::system:
      break;
  }
  return u"system"_s;
}

}  // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      storage_(
          file.isEmpty()
              ? QSettings(QSettings::IniFormat, QSettings::UserScope, u"trainwright"_s, u"trainwright-gui"_s).fileName()
              : file,
          QSettings::IniFormat) {}

QString Settings::language() const {
  return storage_.value(kLanguageKey).toString();
}

void Settings::setLanguage(const QString& language) {
  if (language == this->language())
    return;
  storage_.setValue(kLanguageKey, language);
  Q_EMIT languageChanged(language);
}

ThemeMode Settings::themeMode() const {
  const QString stored = storage_.value(kThemeKey).toString();
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark})
    if (stored == word(mode))
      return mode;
  return ThemeMode::system;
}

void Settings::setThemeMode(ThemeMode mode) {
  if (mode == themeMode())
    return;
  storage_.setValue(kThemeKey, word(mode));
  Q_EMIT themeModeChanged();
}

QString Settings::lastFolder() const {
  return storage_.value(kFolderKey).toString();
}
void Settings::setLastFolder(const QString& folder) {
  storage_.setValue(kFolderKey, folder);
}
bool Settings::showsGuide() const {
  return storage_.value(kGuideKey, true).toBool();
}
void Settings::setShowsGuide(bool shows) {
  storage_.setValue(kGuideKey, shows);
}

}  // namespace trainwright::gui
