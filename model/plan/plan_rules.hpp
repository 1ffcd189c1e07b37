// The rules a layout and a job must obey, one named rule a function. check_plan reports them; nearest_layout looks for
// a layout that breaks none. Only what the frameworks themselves require is an error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/hardware/cluster.hpp"
#include "model/plan/layout.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/workload/job.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

/// What rules look at; references to values that outlive the call.
struct RuleInput {
  const Model& model;
  const Cluster& cluster;
  const Job& job;
  const Layout& layout;
};

/// A broken rule. `field` is the one to change; a hint is present where the way out does not need another layout.
struct Violation {
  std::string rule;  ///< "layout.tp-divides-heads"
  PlanSection section = PlanSection::layout;
  std::string field;    ///< "tp"
  std::string message;  ///< value, what it conflicts with, allowed values
  std::string hint;
  Severity severity = Severity::error;
  friend bool operator==(const Violation&, const Violation&) = default;
};

/// Numbers out of range: degrees, batch and sequence below 1, products that no machine has. When this finds an error
/// the rules below must not be asked.
[[nodiscard]] std::vector<Violation> check_ranges(const RuleInput& input);

/// Tensor, pipeline, context and expert parallelism against the model, sharding, the batch identity. Depends on the
/// layout.
[[nodiscard]] std::vector<Violation> check_layout_rules(const RuleInput& input);

/// global batch = micro-batch x DP x whole micro-batches.
[[nodiscard]] std::vector<Violation> check_batch_rules(const RuleInput& input);

/// Precision, sequence length, framework, cluster size: no other layout of the same ranks would mend these.
[[nodiscard]] std::vector<Violation> check_job_rules(const RuleInput& input);

/// Warnings: what frameworks accept and what seldom does what was wanted. Only for layouts that break no other rule.
[[nodiscard]] std::vector<Violation> check_advice_rules(const RuleInput& input);

/// (p - 1) / (m + p - 1): share of its passes that a stage of 1F1B or GPipe waits (arXiv 2104.04473, section 2.2.1).
[[nodiscard]] double pipeline_bubble(std::int64_t stages, std::int64_t micro_batches);
/// Least micro-batches for which that share is at most `share`.
[[nodiscard]] std::int64_t micro_batches_for_bubble(std::int64_t stages, double share);

/// Ranks the cluster can hold: its devices, or four ranks a core where ranks are processes on CPU cores.
[[nodiscard]] std::int64_t rank_capacity(const Cluster& cluster);

/// Highest number of ranks on one core that is accepted; above it times say nothing about the plan.
inline constexpr int kMaxRanksPerCore = 4;

}  // namespace trainwright::model
