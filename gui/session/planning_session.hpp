// The scenario being worked on: inputs as immutable snapshots with undo, their problems, the plan, the live estimate
// and the last simulation. All work happens in jobs; whoever listens sees whole results in one signal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "gui/session/fix_finder.hpp"
#include "gui/session/job.hpp"
#include "gui/session/plan_source.hpp"
#include "gui/timeline/timeline_data.hpp"
#include "model/estimate/estimator.hpp"

namespace trainwright::gui {

/// A plan with what a simulation said about it.
struct Simulation {
  std::shared_ptr<const model::Plan> plan;
  std::shared_ptr<const model::ExecutionGraph> graph;
  std::shared_ptr<const model::Estimate> estimate;
  std::shared_ptr<const TimelineData> timeline;  ///< never null; empty when the engine gave none
};

/// What the window computes with; handed in, so that tests can put fakes here.
struct Services {
  std::shared_ptr<const PlanSource> plans;
  std::shared_ptr<const model::Estimator> live;       ///< on each edit: must answer in milliseconds
  std::shared_ptr<const model::Estimator> simulator;  ///< on demand, with a timeline
};

class PlanningSession : public QObject {
  Q_OBJECT

 public:
  PlanningSession(Services services, ScenarioInputs first, QObject* parent = nullptr);

  [[nodiscard]] const PlanSource& plans() const { return *services_.plans; }
  [[nodiscard]] const ScenarioInputs& inputs() const { return history_[position_]; }
  [[nodiscard]] const model::Diagnostics& problems() const { return problems_; }
  [[nodiscard]] const std::vector<FieldFix>& fixes() const { return fixes_; }
  /// Null while the inputs are refused or not yet answered.
  [[nodiscard]] std::shared_ptr<const model::Plan> plan() const { return plan_; }
  [[nodiscard]] std::shared_ptr<const model::Estimate> estimate() const { return estimate_; }
  /// Null before the first simulation.
  [[nodiscard]] std::shared_ptr<const Simulation> simulation() const { return simulation_; }
  /// The last simulation was made for the plan on screen.
  [[nodiscard]] bool simulationIsCurrent() const { return simulation_ && simulation_->plan == plan_; }
  [[nodiscard]] JobRunner& jobs() { return jobs_; }

  void setInputs(const ScenarioInputs& inputs);
  [[nodiscard]] bool canUndo() const { return position_ > 0; }
  [[nodiscard]] bool canRedo() const { return position_ + 1 < history_.size(); }
  void undo();
  void redo();
  /// Reads a plan, model or cluster file in the background.
  void openFile(const QString& path);
  /// There is a plan and a simulator.
  [[nodiscard]] bool canSimulate() const { return plan_ && services_.simulator; }
  /// Starts the simulator on the current plan; nothing happens without one.
  void simulate();

 Q_SIGNALS:
  void inputsChanged();
  void predicted();  ///< plan, problems, fixes and estimate belong together and are new
  void simulated();
  void failed(const QString& message);
  void fileRefused(const QString& path, const QString& problems);

 private:
  void predict();

  Services services_;
  std::vector<ScenarioInputs> history_;
  std::size_t position_ = 0;
  model::Diagnostics problems_;
  std::vector<FieldFix> fixes_;
  std::shared_ptr<const model::Plan> plan_;
  std::shared_ptr<const model::Estimate> estimate_;
  std::shared_ptr<const Simulation> simulation_;
  JobRunner jobs_;  // last: its destructor waits for work that reads the members above
};

}  // namespace trainwright::gui
