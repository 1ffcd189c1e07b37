// SPDX-License-Identifier: Apache-2.0
#include "gui/app/screenshots.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QPixmap>
#include <QScrollArea>
#include <QTimer>
#include <utility>

#include "gui/app/composition.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

/// The scroll area of the page on screen, to have what lies below its edge.
QScrollArea* visibleScrollArea(MainWindow& window) {
  for (auto* scroll : window.findChildren<QScrollArea*>())
    if (scroll->isVisible() && scroll->objectName() != u"inspector"_s)
      return scroll;
  return nullptr;
}

bool takeAll(Composition& composition, const QDir& folder) {
  bool written = true;
  for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
    composition.settings().setLanguage(language);
    for (const auto& [mode, modeName] :
         {std::pair(ThemeMode::light, u"light"_s), std::pair(ThemeMode::dark, u"dark"_s)}) {
      composition.settings().setThemeMode(mode);
      for (const auto& [page, pageName] :
           {std::pair(Page::scenario, u"scenario"_s), std::pair(Page::result, u"result"_s),
            std::pair(Page::timeline, u"timeline"_s)}) {
        composition.window().showPage(page);
        QCoreApplication::processEvents();  // layouts and style settle before the picture is taken
        QCoreApplication::processEvents();
        if (auto* scroll = visibleScrollArea(composition.window()); scroll != nullptr)
          written = scroll->widget()->grab().save(
                        folder.filePath(u"%1_%2_%3_whole.png"_s.arg(pageName, language, modeName))) &&
                    written;
        written =
            composition.window().grab().save(folder.filePath(u"%1_%2_%3.png"_s.arg(pageName, language, modeName))) &&
            written;
      }
    }
  }
  return written;
}

/// The Scenario page with a layout that cannot be, then the end.
void takeRefused(Composition& composition, const QDir& folder, bool written) {
  composition.settings().setLanguage(u"en"_s);
  composition.settings().setThemeMode(ThemeMode::light);
  composition.window().showPage(Page::scenario);
  PlanningSession& session = composition.session();
  QObject::connect(
      &session, &PlanningSession::predicted, &composition.window(),
      [&composition, folder, written] {
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        const bool saved = composition.window().grab().save(folder.filePath(u"refused_en_light.png"_s));
        QCoreApplication::exit(written && saved ? 0 : 3);
      },
      Qt::SingleShotConnection);
  session.setInputs(withNumber(session.inputs(), Field::tp, 3));
}

}  // namespace

void takeScreenshots(Composition& composition, const QString& folder) {
  const auto shoot = [&composition, folder] {
    constexpr int kSettleMs = 200;
    QTimer::singleShot(kSettleMs, &composition.window(), [&composition, folder] {
      const bool written = QDir().mkpath(folder) && takeAll(composition, QDir(folder));
      takeRefused(composition, QDir(folder), written);
    });
  };
  PlanningSession& session = composition.session();
  QObject::connect(&session, &PlanningSession::simulated, &composition.window(), shoot);
  QObject::connect(&session, &PlanningSession::failed, &composition.window(), shoot);
  QObject::connect(
      &session, &PlanningSession::predicted, &composition.window(),
      [&session, shoot] {
        if (session.canSimulate())
          session.simulate();
        else
          shoot();
      },
      Qt::SingleShotConnection);
}

}  // namespace trainwright::gui
