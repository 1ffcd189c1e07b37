// SPDX-License-Identifier: Apache-2.0
#include "gui/pages/scenario_cards.hpp"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStringList>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <array>

#include "gui/format/core_text.hpp"
#include "gui/format/text.hpp"
#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"
#include "gui/pages/scenario_facts.hpp"
#include "gui/widgets/card.hpp"
#include "gui/widgets/degree_spin_box.hpp"
#include "gui/widgets/field_row.hpp"
#include "gui/widgets/mesh_view.hpp"
#include "gui/widgets/quiet_combo_box.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

/// Frameworks whose rules and constants the planner knows (docs/guide).
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kFrameworkWords{
    {{"megatron-core", "megatron-core"},
     {"megatron-lm", "megatron-lm"},
     {"deepspeed", "deepspeed"},
     {"megatron-deepspeed", "megatron-deepspeed"},
     {"fsdp", "fsdp"},
     {"torchtitan", "torchtitan"},
     {"pytorch-ddp", "pytorch-ddp"}}};

constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kZeroWords{{{"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kSwitchWords{{{"on", true}, {"off", false}}};

/// The text of a choice on screen; technical words stay as they are.
QString choiceText(Field field, std::string_view word) {
  if (field == Field::zero) {
    if (word == "0")
      return ScenarioCards::tr("0: nothing shared");
    if (word == "1")
      return ScenarioCards::tr("1: optimizer state");
    if (word == "2")
      return ScenarioCards::tr("2: and gradients");
    return ScenarioCards::tr("3: and parameters");
  }
  if (word == "on")
    return ScenarioCards::tr("on");
  if (word == "off")
    return ScenarioCards::tr("off");
  if (field == Field::recompute)
    return word == "none"        ? ScenarioCards::tr("none")
           : word == "selective" ? ScenarioCards::tr("selective")
                                 : ScenarioCards::tr("full");
  if (field == Field::attention && word == "unfused")
    return ScenarioCards::tr("unfused");
  return toQString(word);
}

}  // namespace

ScenarioCards::ScenarioCards(PlanningSession& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      session_(session),
      modelCard_(new Card(this)),
      clusterCard_(new Card(this)),
      jobCard_(new Card(this)),
      layoutCard_(new Card(this)),
      modelFacts_(new QLabel(this)),
      clusterFacts_(new QLabel(this)),
      mesh_(new MeshView(theme, this)) {
  models_.setProfiles(session.plans().models());
  clusters_.setProfiles(session.plans().clusters());
  for (QLabel* facts : {modelFacts_, clusterFacts_}) {
    facts->setProperty("role", u"muted"_s);
    facts->setWordWrap(true);
  }
  using Plan = model::Plan;
  using Choices = model::PlanChoices;
  addProfiles(modelCard_->content(), Field::model, models_);
  modelCard_->content()->addWidget(modelFacts_);
  modelCard_->content()->addStretch(1);
  addProfiles(clusterCard_->content(), Field::cluster, clusters_);
  addNumber(clusterCard_->content(), Field::gpus, true);
  clusterCard_->content()->addWidget(clusterFacts_);
  clusterCard_->content()->addStretch(1);

  QVBoxLayout* job = jobCard_->content();
  addNumber(job, Field::global_batch, true);
  addNumber(job, Field::seq_len, true);
  addChoice<model::Precision>(job, Field::precision, model::kPrecisionWords, &Choices::precision,
                              [](const Plan& plan) { return std::optional(plan.job.precision); });
  addChoice<model::OptimizerKind>(job, Field::optimizer, model::kOptimizerKindWords, &Choices::optimizer,
                                  [](const Plan& plan) { return std::optional(plan.job.optimizer); });
  addChoice<model::AttentionKernel>(job, Field::attention, model::kAttentionKernelWords, &Choices::attention,
                                    [](const Plan& plan) { return std::optional(plan.job.attention); });
  addChoice<std::string>(job, Field::framework, kFrameworkWords, &Choices::framework,
                         [](const Plan& plan) { return std::optional(plan.job.framework); });
  addNumber(job, Field::steps, true);
  job->addStretch(1);

  QVBoxLayout* layout = layoutCard_->content();
  for (const Field field : {Field::tp, Field::pp, Field::dp, Field::cp, Field::ep, Field::vpp, Field::micro_batch})
    addNumber(layout, field, true);
  addChoice<std::int64_t>(layout, Field::zero, kZeroWords, &Choices::zero,
                          [](const Plan& plan) { return std::optional<std::int64_t>(plan.layout.zero); });
  addNumber(layout, Field::hsdp, true);
  addChoice<model::PipelineSchedule>(layout, Field::schedule, model::kPipelineScheduleWords, &Choices::schedule,
                                     [](const Plan& plan) { return std::optional(plan.layout.schedule); });
  addChoice<model::Recompute>(layout, Field::recompute, model::kRecomputeWords, &Choices::recompute,
                              [](const Plan& plan) { return std::optional(plan.layout.recompute); });
  addChoice<bool>(layout, Field::sequence_parallel, kSwitchWords, &Choices::sequence_parallel,
                  [](const Plan& plan) { return std::optional(plan.layout.sequence_parallel); });
  addChoice<bool>(layout, Field::overlap, kSwitchWords, &Choices::overlap_gradients,
                  [](const Plan& plan) { return std::optional(plan.layout.overlap_gradients); });
  layout->addWidget(mesh_);
  layout->addStretch(1);

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(2 * tokens::kGrid);
  grid->addWidget(modelCard_, 0, 0);
  grid->addWidget(clusterCard_, 1, 0);
  grid->addWidget(jobCard_, 2, 0);
  grid->addWidget(layoutCard_, 0, 1, 3, 1);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(2, 1);

  connect(&session, &PlanningSession::inputsChanged, this, &ScenarioCards::refreshEditors);
  connect(&session, &PlanningSession::predicted, this, [this] {
    refreshEditors();
    refreshProblems();
    refreshFacts();
  });
  retranslate();
}

void ScenarioCards::setFormat(const DisplayFormat& format) {
  format_ = format;
  models_.setFormat(format);
  clusters_.setFormat(format);
  refreshEditors();
  refreshFacts();
}

void ScenarioCards::addRow(QVBoxLayout* card, Field field, QWidget* editor) {
  auto* row = new FieldRow(editor, this);
  row->setObjectName(u"row_%1"_s.arg(static_cast<int>(field)));
  rows_[field] = row;
  card->addWidget(row);
  connect(row, &FieldRow::entered, this, [this, field] {
    Q_EMIT explained([field] { return Explanation{Labels::name(field), {}, Labels::explanation(field), {}}; });
  });
  connect(row, &FieldRow::fixRequested, this, [this, field] {
    for (const FieldFix& fix : session_.fixes())
      if (fix.field == field) {
        session_.setInputs(withNumber(session_.inputs(), field, fix.value));
        return;
      }
  });
}

void ScenarioCards::addNumber(QVBoxLayout* card, Field field, bool canDerive) {
  auto* box = new DegreeSpinBox(canDerive, this);
  addRow(card, field, box);
  connect(box, &QSpinBox::valueChanged, this,
          [this, field, box] { session_.setInputs(withNumber(session_.inputs(), field, box->number())); });
  refreshes_.emplace_back([this, field, box] {
    box->setNumber(numberIn(session_.inputs(), field));
    const auto planned = session_.plan() ? numberIn(*session_.plan(), field) : std::nullopt;
    box->setDerivedText(automatic(planned ? format_.integer(*planned) : QString()));
  });
}

template <class Value, class Words>
void ScenarioCards::addChoice(QVBoxLayout* card, Field field, const Words& words,
                              std::optional<Value> model::PlanChoices::*member,
                              std::function<std::optional<Value>(const model::Plan&)> planned) {
  auto* box = new QuietComboBox(this);
  addRow(card, field, box);
  connect(box, &QComboBox::activated, this, [this, &words, member](int index) {
    edit([&words, member, index](model::PlanChoices& choices) {
      choices.*member =
          index == 0 ? std::nullopt : std::optional<Value>(words[static_cast<std::size_t>(index - 1)].second);
    });
  });
  refreshes_.emplace_back([this, field, box, &words, member, planned] {
    const QSignalBlocker blocker(box);
    const std::optional<Value> derived = session_.plan() ? planned(*session_.plan()) : std::nullopt;
    const std::optional<Value>& stated = session_.inputs().choices.*member;
    box->clear();
    box->addItem(automatic({}));
    for (const auto& [word, value] : words) {
      box->addItem(choiceText(field, word));
      if (derived && *derived == value)
        box->setItemText(0, automatic(choiceText(field, word)));
      if (stated && *stated == value)
        box->setCurrentIndex(box->count() - 1);
    }
  });
}

void ScenarioCards::addProfiles(QVBoxLayout* card, Field field, ProfileListModel& profiles) {
  auto* box = new QuietComboBox(this);
  box->setModel(&profiles);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  addRow(card, field, box);
  connect(box, &QComboBox::activated, this,
          [this, field, box](int index) { pickProfile(field, box->itemData(index, kIdRole).toString()); });
  refreshes_.emplace_back([this, field, box, &profiles] {
    const QSignalBlocker blocker(box);
    const ScenarioInputs& inputs = session_.inputs();
    const bool isModel = field == Field::model;
    std::optional<ProfileEntry> opened;
    if (isModel && inputs.model.value)
      opened = {inputs.model.id, inputs.model.value->name, 0, 0};
    if (!isModel && inputs.cluster.value)
      opened = {inputs.cluster.id, inputs.cluster.value->name, 0, 0};
    profiles.setOpened(opened);
    box->setCurrentIndex(profiles.rowOf(isModel ? inputs.model.id : inputs.cluster.id));
  });
}

void ScenarioCards::pickProfile(Field field, const QString& id) {
  ScenarioInputs inputs = session_.inputs();
  const std::string text = id.toStdString();
  if (field == Field::model && inputs.model.id != text)
    inputs.model = {text};
  if (field == Field::cluster && inputs.cluster.id != text) {
    inputs.cluster = {text};
    inputs.constants.reset();  // they belong to the other hardware
  }
  session_.setInputs(inputs);
}

void ScenarioCards::edit(const std::function<void(model::PlanChoices&)>& change) {
  ScenarioInputs inputs = session_.inputs();
  change(inputs.choices);
  session_.setInputs(inputs);
}

void ScenarioCards::refreshEditors() {
  for (const Refresh& refresh : refreshes_)
    refresh();
}

void ScenarioCards::refreshProblems() {
  for (const auto& [field, row] : rows_) {
    QStringList lines;
    QStringList hints;  // several problems often share one way out
    bool isWarning = true;
    for (const model::Diagnostic& problem : session_.problems().list()) {
      if (fieldOf(problem) != field || problem.severity == model::Severity::note)
        continue;
      isWarning = isWarning && problem.severity == model::Severity::warning;
      lines << coreText(problem.message);
      if (const QString hint = coreText(problem.hint); !hint.isEmpty() && !hints.contains(hint))
        hints << hint;
    }
    const QString text = (lines + hints).join(u'\n');
    row->setProblem(text, isWarning);
    row->setFix({});
  }
  for (const FieldFix& fix : session_.fixes())
    if (const auto found = rows_.find(fix.field); found != rows_.end())
      found->second->setFix(fix.resolvesAll ? tr("Set to %1").arg(format_.integer(fix.value))
                                            : tr("Set to %1 (other problems stay)").arg(format_.integer(fix.value)));
}

void ScenarioCards::refreshFacts() {
  const std::shared_ptr<const model::Plan> plan = session_.plan();
  if (plan)
    lastPlan_ = plan;
  // A refused layout says nothing against the model and the cluster that were there before.
  const ScenarioInputs& inputs = session_.inputs();
  modelFacts_->setText(lastPlan_ && lastPlan_->model.id == inputs.model.id ? modelFacts(lastPlan_->model, format_)
                                                                           : QString());
  clusterFacts_->setText(
      lastPlan_ && lastPlan_->cluster.id == inputs.cluster.id ? clusterFacts(lastPlan_->cluster, format_) : QString());
  mesh_->setPlan(plan);
}

QString ScenarioCards::automatic(const QString& derived) const {
  //: %1 the value that was derived for a field left on automatic
  return derived.isEmpty() ? tr("automatic") : tr("automatic (%1)").arg(derived);
}

void ScenarioCards::retranslate() {
  modelCard_->setTitle(tr("Model"));
  clusterCard_->setTitle(tr("Cluster"));
  jobCard_->setTitle(tr("Job"));
  layoutCard_->setTitle(tr("Layout"));
  for (const auto& [field, row] : rows_) {
    row->setName(Labels::name(field));
    row->setDefinition(Labels::explanation(field));
  }
  refreshEditors();
  refreshProblems();
  refreshFacts();
}

void ScenarioCards::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

}  // namespace trainwright::gui
