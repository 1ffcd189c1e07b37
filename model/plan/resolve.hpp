// From what the user said to a whole plan: degrees that were left out are derived, defaults that change a number are
// put down in the plan's assumptions, and everything wrong is reported at once. Command line and window share this.
// Files and profile ids are model/io/plan_request's business; here model and cluster are values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/base/diagnostic.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Layout and job as the user stated them; empty: derive, or take a default and say so.
struct PlanChoices {
  std::optional<std::int64_t> gpus = {};  ///< ranks
  std::optional<std::int64_t> dp = {};
  std::optional<std::int64_t> tp = {};
  std::optional<std::int64_t> pp = {};
  std::optional<std::int64_t> vpp = {};
  std::optional<std::int64_t> layers_per_chunk = {};  ///< says vpp the other way round; not both
  std::optional<std::int64_t> cp = {};
  std::optional<std::int64_t> ep = {};
  std::optional<std::int64_t> etp = {};
  std::optional<bool> sequence_parallel = {};
  std::optional<std::int64_t> zero = {};
  std::optional<std::int64_t> zero_group = {};
  std::optional<std::int64_t> micro_batch = {};
  std::optional<std::int64_t> micro_batches = {};  ///< per step and pipeline (gradient accumulation)
  std::optional<std::int64_t> global_batch = {};
  std::optional<std::int64_t> seq_len = {};
  std::optional<PipelineSchedule> schedule = {};
  std::optional<Recompute> recompute = {};
  std::optional<std::int64_t> recompute_layers = {};
  std::optional<std::int64_t> tensor_chunks = {};
  std::optional<ContextKind> cp_kind = {};
  std::optional<bool> overlap_gradients = {};
  std::optional<ByteCount> bucket = {};
  std::optional<bool> overlap_parameters = {};
  std::optional<bool> reshard_after_forward = {};
  std::optional<std::int64_t> gathers_in_flight = {};
  std::optional<std::vector<std::int64_t>> stage_layers = {};
  std::optional<Precision> precision = {};
  std::optional<OptimizerKind> optimizer = {};
  std::optional<AttentionKernel> attention = {};
  std::optional<std::string> framework = {};
  std::optional<std::int64_t> year = {};
  std::optional<std::int64_t> steps = {};
  std::optional<double> expert_imbalance = {};
  std::optional<double> expert_capacity = {};
  std::optional<double> sequence_fill = {};
  std::optional<double> loss_share = {};
  friend bool operator==(const PlanChoices&, const PlanChoices&) = default;
};

/// The plan, or empty when `problems` gained an error. Appends every problem found, warnings too; `source` names where
/// the choices came from. `constants` are those of the cluster's accelerator, calibrated or shipped.
[[nodiscard]] std::optional<Plan> resolve_plan(const Model& model, const Cluster& cluster,
                                               const CostConstants& constants, const PlanChoices& choices,
                                               const std::string& source, Diagnostics& problems);

/// `plan` with the stated choices laid over it, derived and checked anew (predict --plan P --tp 4). A choice that is
/// empty keeps the plan's value; dp follows when another degree or the ranks change, the global batch stays.
[[nodiscard]] std::optional<Plan> revise_plan(const Plan& plan, const PlanChoices& choices, const std::string& source,
                                              Diagnostics& problems);

}  // namespace trainwright::model
