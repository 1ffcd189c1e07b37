// SPDX-License-Identifier: Apache-2.0
#include "gui/app/languages.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

QString Languages::systemLanguage() {
  return QLocale::system().language() == QLocale::Chinese ? u"zh_CN"_s : u"en"_s;
}

void Languages::use(const QString& language) {
  const QString known = language == u"zh_CN"_s ? language : u"en"_s;
  if (known == current_)
    return;
  current_ = known;
  QCoreApplication::removeTranslator(&window_);
  QCoreApplication::removeTranslator(&qt_);
  // English has a file of its own, for its plural forms only.
  if (window_.load(u":/i18n/trainwright_%1.qm"_s.arg(known)))
    QCoreApplication::installTranslator(&window_);
  if (qt_.load(u"qtbase_"_s + known, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&qt_);
}

DisplayFormat Languages::format() const {
  return DisplayFormat(current_ == u"zh_CN"_s ? QLocale(QLocale::Chinese, QLocale::China)
                                              : QLocale(QLocale::English, QLocale::UnitedStates));
}

}  // namespace trainwright::gui
