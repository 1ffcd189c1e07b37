// A plan: everything needed to predict, simulate and run. Self-contained on disk (trainwright/plan/v1).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/cost/cost_constants.hpp"
#include "model/graph/execution_graph.hpp"
#include "model/hardware/cluster.hpp"
#include "model/plan/layout.hpp"
#include "model/workload/job.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

struct Plan {
  Model model;
  Cluster cluster;
  Job job;
  Layout layout;
  CostConstants constants;               ///< what predictions use; calibrated or shipped
  std::vector<std::string> assumptions;  ///< each default that was filled in, in words
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Everything wrong with the plan, with rule, value, allowed values and a way out; empty when it can be built.
/// `source` names where the values came from in the messages. No memory verdict here: "does not fit" is a result.
[[nodiscard]] Diagnostics check_plan(const Plan& plan, const std::string& source);

/// Precondition: check_plan found no error.
[[nodiscard]] ExecutionGraph build_execution_graph(const Plan& plan);

}  // namespace trainwright::model
