// SPDX-License-Identifier: Apache-2.0
#include "gui/settings/settings.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

TEST(Settings, AreKeptInTheFileGiven) {
  const QTemporaryDir folder;
  const QString file = folder.filePath(u"window.ini"_s);
  {
    Settings settings(file);
    EXPECT_TRUE(settings.language().isEmpty());
    EXPECT_EQ(settings.themeMode(), ThemeMode::system);
    EXPECT_TRUE(settings.showsGuide());
    settings.setLanguage(u"zh_CN"_s);
    settings.setThemeMode(ThemeMode::dark);
    settings.setShowsGuide(false);
  }
  const Settings again(file);
  EXPECT_EQ(again.language(), u"zh_CN"_s);
  EXPECT_EQ(again.themeMode(), ThemeMode::dark);
  EXPECT_FALSE(again.showsGuide());
}

TEST(Settings, SignalOnlyRealChanges) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath(u"window.ini"_s));
  QSignalSpy spy(&settings, &Settings::languageChanged);
  settings.setLanguage(u"en"_s);
  settings.setLanguage(u"en"_s);
  EXPECT_EQ(spy.count(), 1);
}

}  // namespace
}  // namespace trainwright::gui
