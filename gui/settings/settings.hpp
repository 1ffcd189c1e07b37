// What the user chose for the window itself, kept between sessions. A plain object that is handed down; there is no
// global instance. The storage is given by the caller, so that tests use a temporary file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>

namespace trainwright::gui {

enum class ThemeMode { system, light, dark };

class Settings : public QObject {
  Q_OBJECT

 public:
  /// `file`: an INI file; empty: the user's own settings of this program.
  explicit Settings(const QString& file, QObject* parent = nullptr);

  /// "en" or "zh_CN"; empty until the user chose one.
  [[nodiscard]] QString language() const;
  void setLanguage(const QString& language);

  [[nodiscard]] ThemeMode themeMode() const;
  void setThemeMode(ThemeMode mode);

  [[nodiscard]] QString lastFolder() const;
  void setLastFolder(const QString& folder);

  /// False once the user has closed the guide on the Scenario page for good.
  [[nodiscard]] bool showsGuide() const;
  void setShowsGuide(bool shows);

 Q_SIGNALS:
  void languageChanged(const QString& language);
  void themeModeChanged();

 private:
  QSettings storage_;
};

}  // namespace trainwright::gui
