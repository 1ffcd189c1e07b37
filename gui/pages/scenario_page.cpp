// SPDX-License-Identifier: Apache-2.0
#include "gui/pages/scenario_page.hpp"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "gui/pages/scenario_cards.hpp"
#include "gui/widgets/card.hpp"
#include "gui/widgets/flat_table.hpp"

namespace trainwright::gui {

using namespace Qt::Literals::StringLiterals;

ScenarioPage::ScenarioPage(PlanningSession& session, Settings& settings, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      session_(session),
      guide_(new QFrame(this)),
      guideText_(new QLabel(this)),
      closeGuide_(new QPushButton(this)),
      cards_(new ScenarioCards(session, theme, this)),
      problemsCard_(new Card(this)),
      problems_(new FlatTable(this)) {
  setObjectName(u"scenarioPage"_s);
  guide_->setProperty("role", u"card"_s);
  guideText_->setWordWrap(true);
  auto* guideLayout = new QHBoxLayout(guide_);
  guideLayout->setContentsMargins(2 * tokens::kGrid, tokens::kGrid, tokens::kGrid, tokens::kGrid);
  guideLayout->addWidget(guideText_, 1);
  guideLayout->addWidget(closeGuide_);
  guide_->setVisible(settings.showsGuide());
  connect(closeGuide_, &QPushButton::clicked, this, [this, &settings] {
    settings.setShowsGuide(false);
    guide_->hide();
  });

  problems_->setModel(&diagnostics_);
  problems_->setStretchColumn(DiagnosticsModel::message_column, true);
  problemsCard_->content()->addWidget(problems_);

  auto* inside = new QWidget;
  inside->setProperty("role", u"page"_s);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid);
  column->setSpacing(2 * tokens::kGrid);
  column->addWidget(guide_);
  column->addWidget(problemsCard_);
  column->addWidget(cards_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(inside);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);

  connect(cards_, &ScenarioCards::explained, this, &ScenarioPage::explained);
  connect(&session, &PlanningSession::predicted, this, &ScenarioPage::refreshProblems);
  retranslate();
  refreshProblems();
}

void ScenarioPage::setFormat(const DisplayFormat& format) {
  cards_->setFormat(format);
}

void ScenarioPage::refreshProblems() {
  // Those with a field are shown there; only what has no place of its own comes here.
  model::Diagnostics homeless;
  for (const model::Diagnostic& problem : session_.problems().list())
    if (fieldOf(problem) == Field::none)
      homeless.add(problem);
  diagnostics_.setDiagnostics(homeless);
  problemsCard_->setVisible(!homeless.empty());
}

void ScenarioPage::retranslate() {
  guideText_->setText(
      tr("Three questions, in this order: does it fit into memory? Which batch and layout? How far does it "
         "scale? Change a field and watch the verdict above."));
  closeGuide_->setText(tr("Close for good"));
  problemsCard_->setTitle(tr("Problems of the scenario"));
  diagnostics_.retranslate();
}

void ScenarioPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
