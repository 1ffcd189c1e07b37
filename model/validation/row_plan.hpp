// From a row of a table to a plan, the way `predict` resolves what a user types. Whatever the row does not say is a
// stated assumption; a row that cannot be predicted has a reason.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/calibration/calibration.hpp"
#include "model/io/load.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/resolve.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

struct RowPlan {
  std::optional<Plan> plan;
  std::string problem;  ///< why there is none
};

/// Turns rows into plans. Clusters and their constants are read once and kept, since a table has hundreds of rows of a
/// few.
class RowPlanner {
 public:
  /// `calibration` is laid over the shipped constants of every row.
  explicit RowPlanner(std::optional<Calibration> calibration = {}, StepConstants steps = StepConstants::shipped)
      : calibration_(std::move(calibration)), steps_(steps) {}

  /// Recomputation that the row leaves open is the cheapest that fits: none, selective, full, by predicted memory.
  [[nodiscard]] RowPlan to_plan(const StepRow& row);

 private:
  struct Machine {
    std::optional<Cluster> cluster;
    std::map<SoftwareGeneration, CostConstants> constants = {};
    std::string problem;
    std::vector<std::string> assumptions;
  };
  const Machine& machine(const StepRow& row);
  [[nodiscard]] Machine find_machine(const StepRow& row) const;
  [[nodiscard]] CostConstants constants_of(const Cluster& cluster, SoftwareGeneration software) const;

  std::optional<Calibration> calibration_;
  StepConstants steps_;
  std::map<std::string, Machine> machines_;
};

/// The layout and job of a row as choices, recomputation included only where the row states it. Problems (words that
/// are not known) are returned as text; empty when there are none.
struct RowChoices {
  PlanChoices choices;
  std::string problem;
  std::vector<std::string> assumptions;
};
[[nodiscard]] RowChoices choices_of(const StepRow& row, const Cluster& cluster);

/// A cluster of `gpus` devices as the row describes it, over the profile its id means: devices per node, rate between
/// nodes and latency of the row win. Empty, with the reason, when neither profile nor row say enough.
struct RowCluster {
  std::optional<Cluster> cluster;
  std::string problem;
  std::vector<std::string> assumptions;
};
[[nodiscard]] RowCluster cluster_of(const StepRow& row);

/// The link of a card where none is stated: SXM and Grace cards have NVLink of their generation, others PCI Express 4.
[[nodiscard]] NodeLink usual_link(const Accelerator& device);

}  // namespace trainwright::model::validation
