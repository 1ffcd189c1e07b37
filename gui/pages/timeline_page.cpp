// SPDX-License-Identifier: Apache-2.0
#include "gui/pages/timeline_page.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

#include "gui/charts/legend.hpp"
#include "gui/charts/timeline_view.hpp"
#include "gui/format/text.hpp"
#include "gui/models/labels.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

/// Activities with a bar in the timeline, in order.
std::vector<Activity> activitiesOf(const TimelineData& timeline) {
  std::array<bool, kActivityCount> seen{};
  for (const TimelineRank& rank : timeline.ranks)
    for (const TimelineLane& lane : rank.lanes)
      for (const TimelineBar& bar : lane.bars)
        seen[static_cast<std::size_t>(bar.activity)] = true;
  std::vector<Activity> list;
  for (std::size_t i = 0; i < kActivityCount; ++i)
    if (seen[i])
      list.push_back(static_cast<Activity>(i));
  list.push_back(Activity::idle);
  return list;
}

}  // namespace

TimelinePage::TimelinePage(PlanningSession& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      session_(session),
      stack_(new QStackedWidget(this)),
      empty_(new QLabel(this)),
      start_(new QPushButton(this)),
      sentence_(new QLabel(this)),
      showAll_(new QToolButton(this)),
      zoomIn_(new QToolButton(this)),
      zoomOut_(new QToolButton(this)),
      view_(new TimelineView(theme, this)),
      taskText_(new QLabel(this)) {
  setObjectName(u"timelinePage"_s);
  auto activities = std::make_shared<std::vector<Activity>>();
  legend_ = new Legend(
      theme,
      [activities, &theme] {
        std::vector<Legend::Entry> entries;
        for (const Activity activity : *activities)
          entries.push_back({Labels::name(activity), theme.activityBrush(activity)});
        return entries;
      },
      this);
  connect(&model_, &QAbstractItemModel::modelReset, this, [this, activities] {
    *activities = model_.timeline() ? activitiesOf(*model_.timeline()) : std::vector<Activity>{};
    legend_->updateGeometry();
    legend_->update();
  });

  auto* emptyPage = new QWidget(this);
  auto* emptyLayout = new QVBoxLayout(emptyPage);
  empty_->setProperty("role", u"muted"_s);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  start_->setProperty("role", u"primary"_s);
  emptyLayout->addStretch(2);
  emptyLayout->addWidget(empty_);
  emptyLayout->addWidget(start_, 0, Qt::AlignCenter);
  emptyLayout->addStretch(3);

  auto* full = new QWidget(this);
  auto* column = new QVBoxLayout(full);
  column->setContentsMargins(2 * tokens::kGrid, 2 * tokens::kGrid, 2 * tokens::kGrid, tokens::kGrid);
  column->setSpacing(tokens::kGrid);
  auto* top = new QHBoxLayout;
  sentence_->setWordWrap(true);
  sentence_->setProperty("role", u"muted"_s);
  top->addWidget(sentence_, 1);
  for (QToolButton* button : {zoomIn_, zoomOut_, showAll_})
    top->addWidget(button);
  taskText_->setObjectName(u"taskText"_s);
  taskText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  taskText_->setWordWrap(true);
  column->addLayout(top);
  column->addWidget(legend_);
  column->addWidget(view_, 1);
  column->addWidget(taskText_);

  stack_->addWidget(emptyPage);
  stack_->addWidget(full);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  zoomIn_->setText(u"+"_s);
  zoomOut_->setText(u"−"_s);
  connect(start_, &QPushButton::clicked, &session, &PlanningSession::simulate);
  connect(zoomIn_, &QToolButton::clicked, view_, [this] { view_->zoomBy(1.5); });
  connect(zoomOut_, &QToolButton::clicked, view_, [this] { view_->zoomBy(1.0 / 1.5); });
  connect(showAll_, &QToolButton::clicked, view_, &TimelineView::showAll);
  connect(view_, &TimelineView::selected, this, &TimelinePage::explainBar);
  connect(&session, &PlanningSession::simulated, this, [this] {
    model_.setTimeline(session_.simulation()->timeline);
    view_->setTimeline(session_.simulation()->timeline);
    taskText_->clear();
    refresh();
  });
  connect(&session, &PlanningSession::predicted, this, &TimelinePage::refresh);
  retranslate();
}

void TimelinePage::setFormat(const DisplayFormat& format) {
  format_ = format;
  model_.setFormat(format);
  view_->setFormat(format);
  refresh();
}

void TimelinePage::refresh() {
  const std::shared_ptr<const Simulation> simulation = session_.simulation();
  stack_->setCurrentIndex(simulation ? 1 : 0);
  start_->setEnabled(session_.canSimulate());
  if (!simulation)
    return;
  QString text = tr("%1 of %2 tasks, step %3. Wheel: zoom, drag: move, click: what a task is.")
                     .arg(Labels::name(simulation->estimate->estimator),
                          format_.integer(static_cast<qint64>(simulation->timeline->bars)),
                          format_.seconds(simulation->estimate->step));
  if (!session_.simulationIsCurrent())
    text = tr("The scenario has changed since this simulation; simulate again to bring it up to date.") + u' ' + text;
  sentence_->setText(text);
}

void TimelinePage::explainBar(int rank, int lane, int bar) {
  const std::shared_ptr<const Simulation> simulation = session_.simulation();
  if (!simulation)
    return;
  const TimelineRank& row = simulation->timeline->ranks[static_cast<std::size_t>(rank)];
  const TimelineLane& stream = row.lanes[static_cast<std::size_t>(lane)];
  const TimelineBar& chosen = stream.bars[static_cast<std::size_t>(bar)];
  const model::Task& task = simulation->graph->program_of_rank(row.rank).tasks[chosen.task.index()];
  const QString what = toQString(model::to_text(task));
  taskText_->setText(what);
  const QString rankText = rankName(row, format_);
  const auto times = std::array{model::Seconds(chosen.end - chosen.start), model::Seconds(chosen.start)};
  const Activity activity = chosen.activity;
  const model::Stream lanes = stream.stream;
  Q_EMIT explained([this, what, rankText, times, activity, lanes] {
    return Explanation{Labels::name(activity),
                       //: %1 duration, %2 time since the start of the step
                       tr("%1, from %2").arg(format_.seconds(times[0]), format_.seconds(times[1])), what,
                       //: %1 "rank 3", %2 name of a stream
                       tr("%1, stream %2").arg(rankText, Labels::name(lanes))};
  });
}

void TimelinePage::retranslate() {
  empty_->setText(
      tr("No simulation yet. The simulator runs the plan's execution graph on the cluster's network and shows "
         "who does what when."));
  start_->setText(tr("Simulate"));
  showAll_->setText(tr("Show all"));
  zoomIn_->setToolTip(tr("Zoom in"));
  zoomOut_->setToolTip(tr("Zoom out"));
  view_->setAccessibleName(tr("Timeline of the simulated step"));
  refresh();
}

void TimelinePage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
