// Language of the window, switched while it runs. Knows the languages there are translations for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLocale>
#include <QObject>
#include <QTranslator>

#include "gui/format/display_format.hpp"

namespace trainwright::gui {

class Languages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// "zh_CN" where the desktop speaks Chinese, else "en".
  [[nodiscard]] static QString systemLanguage();
  /// Unknown languages count as "en".
  void use(const QString& language);
  [[nodiscard]] const QString& current() const { return current_; }
  [[nodiscard]] DisplayFormat format() const;

 private:
  QString current_;
  QTranslator window_;  ///< our own texts
  QTranslator qt_;      ///< buttons of Qt's dialogs
};

}  // namespace trainwright::gui
