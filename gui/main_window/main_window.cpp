// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window/main_window.hpp"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/main_window/jobs_bar.hpp"
#include "gui/main_window/navigation_rail.hpp"
#include "gui/main_window/title_strip.hpp"
#include "gui/main_window/verdict_strip.hpp"
#include "gui/pages/result_page.hpp"
#include "gui/pages/scenario_page.hpp"
#include "gui/pages/timeline_page.hpp"
#include "gui/widgets/inspector.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

MainWindow::MainWindow(PlanningSession& session, Settings& settings, const Theme& theme, AskForFile ask,
                       QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      settings_(settings),
      askForFile_(std::move(ask)),
      title_(new TitleStrip(session, settings, theme, this)),
      rail_(new NavigationRail(theme, this)),
      verdict_(new VerdictStrip(session, theme, this)),
      pages_(new QStackedWidget(this)),
      scenario_(new ScenarioPage(session, settings, theme, this)),
      result_(new ResultPage(session, theme, this)),
      timeline_(new TimelinePage(session, theme, this)),
      inspector_(new Inspector(this)),
      jobs_(new JobsBar(session, this)) {
  setAcceptDrops(true);
  rail_->addPage(IconShape::scenario, u"showScenario"_s);
  rail_->addPage(IconShape::result, u"showResult"_s);
  rail_->addPage(IconShape::timeline, u"showTimeline"_s);
  for (QWidget* page :
       {static_cast<QWidget*>(scenario_), static_cast<QWidget*>(result_), static_cast<QWidget*>(timeline_)})
    pages_->addWidget(page);

  auto* side = new QScrollArea(this);
  side->setObjectName(u"inspector"_s);
  side->setWidget(inspector_);
  side->setWidgetResizable(true);
  side->setFrameShape(QFrame::NoFrame);
  side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  constexpr int kInspectorWidth = 30 * tokens::kGrid;
  side->setFixedWidth(kInspectorWidth);

  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(pages_, 1);
  middle->addWidget(side);
  auto* right = new QVBoxLayout;
  right->setSpacing(0);
  right->addWidget(verdict_);
  right->addLayout(middle, 1);
  right->addWidget(jobs_);
  auto* body = new QHBoxLayout;
  body->setSpacing(0);
  body->addWidget(rail_);
  body->addLayout(right, 1);
  auto* central = new QWidget(this);
  auto* all = new QVBoxLayout(central);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(title_);
  all->addLayout(body, 1);
  setCentralWidget(central);
  resize(1280, 800);

  connect(rail_, &NavigationRail::pageChosen, this, [this](int page) { showPage(static_cast<Page>(page)); });
  connect(title_, &TitleStrip::openRequested, this, [this] {
    if (const QString path = askForFile_(this, settings_.lastFolder()); !path.isEmpty())
      open(path);
  });
  connect(scenario_, &ScenarioPage::explained, inspector_, &Inspector::show);
  connect(result_, &ResultPage::explained, inspector_, &Inspector::show);
  connect(timeline_, &TimelinePage::explained, inspector_, &Inspector::show);
  connectSession();
  showPage(Page::result);
  retranslate();
}

void MainWindow::connectSession() {
  connect(&session_, &PlanningSession::failed, jobs_, &JobsBar::showMessage);
  connect(&session_, &PlanningSession::fileRefused, this, [this](const QString& path, const QString& problems) {
    //: %1 name of a file, %2 list of problems
    jobs_->showMessage(tr("%1 was not opened. %2").arg(QFileInfo(path).fileName(), problems.trimmed()));
  });
  connect(&session_, &PlanningSession::simulated, this, [this] { showPage(Page::timeline); });
  connect(&session_, &PlanningSession::inputsChanged, jobs_, [this] { jobs_->showMessage({}); });
}

void MainWindow::showPage(Page page) {
  pages_->setCurrentIndex(static_cast<int>(page));
  rail_->setCurrent(static_cast<int>(page));
}

Page MainWindow::page() const {
  return static_cast<Page>(pages_->currentIndex());
}

void MainWindow::setFormat(const DisplayFormat& format) {
  title_->setFormat(format);
  verdict_->setFormat(format);
  scenario_->setFormat(format);
  result_->setFormat(format);
  timeline_->setFormat(format);
  jobs_->setFormat(format);
}

void MainWindow::open(const QString& path) {
  settings_.setLastFolder(QFileInfo(path).absolutePath());
  session_.openFile(path);
}

void MainWindow::retranslate() {
  setWindowTitle(tr("Trainwright"));
  rail_->setPageName(static_cast<int>(Page::scenario), tr("Scenario"));
  rail_->setPageName(static_cast<int>(Page::result), tr("Result"));
  rail_->setPageName(static_cast<int>(Page::timeline), tr("Timeline"));
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  session_.jobs().cancelAll();
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() != 1 || !urls.front().isLocalFile())
    return;
  event->acceptProposedAction();
  open(urls.front().toLocalFile());
}

QString askForFile(QWidget* parent, const QString& folder) {
  return QFileDialog::getOpenFileName(parent, MainWindow::tr("Open a plan, a model or a cluster"), folder,
                                      MainWindow::tr("JSON files (*.json)"));
}

}  // namespace trainwright::gui
