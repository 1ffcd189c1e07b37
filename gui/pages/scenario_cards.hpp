// The four cards of the Scenario page: model, cluster, job, layout. Shows a scenario with its problems and reports
// edits as whole new inputs. Fields left on automatic show what was derived for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <vector>

#include "gui/models/profile_list_model.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/theme/theme.hpp"
#include "gui/widgets/inspector.hpp"

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace trainwright::gui {

class Card;
class FieldRow;
class MeshView;

class ScenarioCards : public QWidget {
  Q_OBJECT

 public:
  /// Session and theme must outlive the cards.
  ScenarioCards(PlanningSession& session, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);
  [[nodiscard]] FieldRow* row(Field field) const { return rows_.at(field); }

 Q_SIGNALS:
  void explained(const Explain& explain);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  /// Brings one editor in line with the session: inputs, and what the plan derived.
  using Refresh = std::function<void()>;

  void addNumber(QVBoxLayout* card, Field field, bool canDerive);
  template <class Value, class Words>
  void addChoice(QVBoxLayout* card, Field field, const Words& words, std::optional<Value> model::PlanChoices::*member,
                 std::function<std::optional<Value>(const model::Plan&)> planned);
  void addProfiles(QVBoxLayout* card, Field field, ProfileListModel& profiles);
  void addRow(QVBoxLayout* card, Field field, QWidget* editor);
  void pickProfile(Field field, const QString& id);
  void edit(const std::function<void(model::PlanChoices&)>& change);

  void refreshEditors();
  void refreshProblems();
  void refreshFacts();
  void retranslate();
  [[nodiscard]] QString automatic(const QString& derived) const;

  PlanningSession& session_;
  DisplayFormat format_;
  ProfileListModel models_;
  ProfileListModel clusters_;
  std::map<Field, FieldRow*> rows_;
  std::vector<Refresh> refreshes_;
  std::shared_ptr<const model::Plan> lastPlan_;  ///< the last valid one, for what it says of model and cluster
  Card* modelCard_;
  Card* clusterCard_;
  Card* jobCard_;
  Card* layoutCard_;
  QLabel* modelFacts_;
  QLabel* clusterFacts_;
  MeshView* mesh_;
};

}  // namespace trainwright::gui
