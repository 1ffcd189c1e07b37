// Scenario: what to train, on what, and how it is split. A thin guide names the three questions in order; problems that
// belong to no single field are listed below the cards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "gui/format/display_format.hpp"
#include "gui/models/diagnostics_model.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/settings/settings.hpp"
#include "gui/theme/theme.hpp"
#include "gui/widgets/inspector.hpp"

class QFrame;
class QLabel;
class QPushButton;

namespace trainwright::gui {

class Card;
class FlatTable;
class ScenarioCards;

class ScenarioPage : public QWidget {
  Q_OBJECT

 public:
  ScenarioPage(PlanningSession& session, Settings& settings, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);
  [[nodiscard]] ScenarioCards& cards() { return *cards_; }

 Q_SIGNALS:
  void explained(const Explain& explain);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refreshProblems();

  PlanningSession& session_;
  DiagnosticsModel diagnostics_;
  QFrame* guide_;
  QLabel* guideText_;
  QPushButton* closeGuide_;
  ScenarioCards* cards_;
  Card* problemsCard_;
  FlatTable* problems_;
};

}  // namespace trainwright::gui
