// SPDX-License-Identifier: Apache-2.0
#include "gui/session/planning_session.hpp"

#include <filesystem>
#include <utility>

#include "gui/format/text.hpp"
#include "model/base/contract.hpp"
#include "model/base/error.hpp"

namespace trainwright::gui {
namespace {

struct Prediction {
  Resolution resolution;
  std::shared_ptr<const model::Estimate> estimate;
  std::vector<FieldFix> fixes;
};

std::optional<Prediction> predictInputs(const Services& services, const ScenarioInputs& inputs, std::stop_token stop,
                                        const model::Progress& progress) {
  Prediction prediction{services.plans->resolve(inputs), nullptr, {}};
  if (!prediction.resolution.plan) {
    prediction.fixes = findFixes(*services.plans, inputs, prediction.resolution.problems, stop);
    return prediction;
  }
  auto estimate = services.live->estimate(*prediction.resolution.plan, stop, progress);
  if (!estimate)
    return std::nullopt;
  prediction.estimate = std::make_shared<const model::Estimate>(std::move(*estimate));
  return prediction;
}

std::optional<Simulation> simulatePlan(const Services& services, std::shared_ptr<const model::Plan> plan,
                                       std::stop_token stop, const model::Progress& progress) {
  auto estimate = services.simulator->estimate(*plan, stop, progress);
  if (!estimate)
    return std::nullopt;
  Simulation simulation;
  simulation.graph = std::make_shared<const model::ExecutionGraph>(model::build_execution_graph(*plan));
  const model::Timeline timeline = estimate->timeline ? std::move(*estimate->timeline) : model::Timeline{};
  estimate->timeline.reset();  // arranged below; a second copy of a million intervals serves nobody
  simulation.timeline = arrangeTimeline(timeline, [&graph = *simulation.graph](model::RankId rank, model::TaskId task) {
    return graph.program_of_rank(rank).tasks[task.index()];
  });
  simulation.plan = std::move(plan);
  simulation.estimate = std::make_shared<const model::Estimate>(std::move(*estimate));
  return simulation;
}

}  // namespace

PlanningSession::PlanningSession(Services services, ScenarioInputs first, QObject* parent)
    : QObject(parent), services_(std::move(services)), history_{std::move(first)} {
  TRAINWRIGHT_EXPECTS(services_.plans && services_.live, "a plan source and a live estimator");
  predict();
}

void PlanningSession::setInputs(const ScenarioInputs& inputs) {
  if (inputs == this->inputs())
    return;
  history_.resize(position_ + 1, inputs);
  history_.push_back(inputs);
  position_ = history_.size() - 1;
  constexpr std::size_t kMostSteps = 200;
  if (history_.size() > kMostSteps) {
    history_.erase(history_.begin());
    --position_;
  }
  predict();
  Q_EMIT inputsChanged();
}

void PlanningSession::undo() {
  if (!canUndo())
    return;
  --position_;
  predict();
  Q_EMIT inputsChanged();
}

void PlanningSession::redo() {
  if (!canRedo())
    return;
  ++position_;
  predict();
  Q_EMIT inputsChanged();
}

void PlanningSession::predict() {
  jobs_.start<Prediction>(
      JobKind::prediction,
      [services = services_, inputs = inputs()](std::stop_token stop, const model::Progress& progress) {
        return predictInputs(services, inputs, std::move(stop), progress);
      },
      [this](std::shared_ptr<const Prediction> prediction) {
        problems_ = prediction->resolution.problems;
        fixes_ = prediction->fixes;
        plan_ = prediction->resolution.plan;
        estimate_ = prediction->estimate;
        Q_EMIT predicted();
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

void PlanningSession::openFile(const QString& path) {
  struct Opened {
    ScenarioInputs inputs;
    QString refusal;
  };
  jobs_.start<Opened>(
      JobKind::file,
      [plans = services_.plans, current = inputs(), file = std::filesystem::path(path.toStdU16String())](
          std::stop_token, const model::Progress&) -> std::optional<Opened> {
        try {
          return Opened{plans->open(file, current), {}};
        } catch (const model::InputError& error) {
          return Opened{current, toQString(error.diagnostics().to_text())};
        }
      },
      [this, path](std::shared_ptr<const Opened> opened) {
        if (opened->refusal.isEmpty())
          setInputs(opened->inputs);
        else
          Q_EMIT fileRefused(path, opened->refusal);
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

void PlanningSession::simulate() {
  if (!canSimulate())
    return;
  jobs_.start<Simulation>(
      JobKind::simulation,
      [services = services_, plan = plan_](std::stop_token stop, const model::Progress& progress) {
        return simulatePlan(services, plan, std::move(stop), progress);
      },
      [this](std::shared_ptr<const Simulation> simulation) {
        simulation_ = std::move(simulation);
        Q_EMIT simulated();
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

}  // namespace trainwright::gui
