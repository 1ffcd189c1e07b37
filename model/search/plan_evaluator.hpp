// The closed-form estimate of many layouts of one job: step and memory from tables that are filled as layouts ask for
// them. Equal to AnalyticEstimator (docs/models/search.md); a layout whose tables exist costs less than a microsecond
// or two and no allocation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/plan/plan.hpp"
#include "model/search/step_composer.hpp"

namespace trainwright::model {

struct PlanCost {
  Seconds step = Seconds::zero();
  ByteCount peak;  ///< of the fullest stage
  friend bool operator==(const PlanCost&, const PlanCost&) = default;
};

class PlanEvaluator {
 public:
  /// Job, model, cluster and constants of `plan`; its layout does not matter.
  explicit PlanEvaluator(Plan plan);
  PlanEvaluator(const PlanEvaluator&) = delete;
  PlanEvaluator& operator=(const PlanEvaluator&) = delete;
  ~PlanEvaluator();

  /// Precondition: check_plan finds no error in the layout.
  [[nodiscard]] PlanCost cost(const Layout& layout);

  /// Layouts so far that the tables cannot tell, which went through the estimator itself: more ranks
  /// than cores, full recomputation of some layers only.
  [[nodiscard]] std::int64_t estimated() const { return estimated_; }

  /// Layouts so far whose passes had to be walked one by one.
  [[nodiscard]] std::int64_t walked() const { return walked_; }

  // The steps of cost(), for a search that goes through layouts in order. References live as long as the evaluator.
  /// Depends on degrees, micro-batch, recomputation, kind of context and sequence parallelism.
  [[nodiscard]] const PassTable& passes(const Layout& layout, bool puts_weights_off);
  /// Depends on degrees and shard group.
  [[nodiscard]] const DataParallelGroups& groups(const Layout& layout);
  /// Of this layout, not kept.
  [[nodiscard]] ShardTable shards(const Layout& layout, const StageTable& stages);
  [[nodiscard]] PipelineRun run(const Layout& layout, const StageTable& stages);
  [[nodiscard]] Seconds step(const PlanTables& tables);
  /// What the host adds to every step of so many micro-batches.
  [[nodiscard]] Seconds host_time(std::int64_t micro_batches) const;
  /// False for the layouts that `estimated` counts.
  [[nodiscard]] bool has_tables(const Layout& layout) const;
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// The plan with this layout; until the next call.
  [[nodiscard]] const Plan& plan_with(const Layout& layout);

 private:
  static constexpr std::size_t kKeyFields = 16;
  using Key = std::array<std::int64_t, kKeyFields>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Run {
    std::shared_ptr<const StageTable> stages;
    PipelineRun run;
  };

  [[nodiscard]] PlanCost estimate(const Layout& layout);
  [[nodiscard]] const std::vector<PipelineStep>& order(const Layout& layout);
  [[nodiscard]] std::int64_t layer_groups_id(const Layout& layout);

  Plan plan_;
  StepComposer composer_;
  std::int64_t estimated_ = 0;
  std::int64_t walked_ = 0;
  std::unordered_map<Key, std::int64_t, KeyHash> layer_group_ids_;  // by degrees
  std::vector<std::array<GroupShape, 4>> layer_groups_;             // distinct
  std::unordered_map<Key, PassTable, KeyHash> passes_;
  std::unordered_map<Key, DataParallelGroups, KeyHash> groups_;
  std::unordered_map<Key, std::vector<PipelineStep>, KeyHash> orders_;
  std::size_t order_steps_ = 0;
  std::unordered_map<Key, Run, KeyHash> runs_;
  std::unordered_map<Key, ShardTable, KeyHash> shards_;
};

}  // namespace trainwright::model
