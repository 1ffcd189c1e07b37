// The program trainwright-gui: options, services, window.
// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QCommandLineParser>
#include <cstdio>
#include <exception>

#include "gui/app/composition.hpp"
#include "gui/app/profile_plan_source.hpp"
#include "gui/app/screenshots.hpp"
#include "model/base/error.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "simulator/client/simulated_estimator.hpp"

namespace {

using namespace Qt::Literals::StringLiterals;
using namespace trainwright;

int run(QApplication& application) {
  QCommandLineParser parser;
  parser.setApplicationDescription(u"Plans distributed training before anyone rents the GPUs."_s);
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(u"file"_s, u"A plan, a model (also a Hugging Face config.json) or a cluster."_s,
                               u"[file]"_s);
  QCommandLineOption settingsFile(u"settings"_s, u"Keep the window's settings in this file."_s, u"file"_s);
  QCommandLineOption screenshot(u"screenshot"_s, u"Write a picture of every page and quit."_s, u"folder"_s);
  screenshot.setFlags(QCommandLineOption::HiddenFromHelp);
  parser.addOptions({settingsFile, screenshot});
  parser.process(application);

  gui::Services services;
  services.plans = std::make_shared<gui::ProfilePlanSource>();
  services.live = std::make_shared<model::AnalyticEstimator>();
  simulator::SimulationOptions simulation;
  simulation.keep_timeline = true;
  services.simulator = std::make_shared<simulator::SimulatedEstimator>(model::EstimatorKind::folded, simulation);
  gui::Composition composition(application, std::make_unique<gui::Settings>(parser.value(settingsFile)),
                               std::move(services), gui::firstScenario(), gui::askForFile);
  if (const QStringList files = parser.positionalArguments(); !files.isEmpty())
    composition.window().open(files.front());
  if (parser.isSet(screenshot))
    gui::takeScreenshots(composition, parser.value(screenshot));
  composition.window().show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName(u"trainwright-gui"_s);
  QCoreApplication::setApplicationVersion(QStringLiteral(TRAINWRIGHT_VERSION));
  try {
    return run(application);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trainwright-gui: %s\n", error.what());
    return static_cast<int>(model::ExitCode::environment);
  }
}
