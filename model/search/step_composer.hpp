// The step of a plan from the tables of its parts: what the closed-form estimator finds, without lowering anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/search/pipeline_run.hpp"
#include "model/search/shard_table.hpp"

namespace trainwright::model {

/// The tables of one plan; of the same layout, and outliving the call.
struct PlanTables {
  const Layout& layout;
  const StageTable& stages;
  const PipelineRun& run;
  const ShardTable& shards;
};

/// Keeps its buffers from call to call: allocates until they have grown to the largest plan.
class StepComposer {
 public:
  /// Seconds from the start of the first pass to the end of the last update. Empty where data-parallel communication
  /// and passes hold each other up in a way that only a walk over all passes tells.
  [[nodiscard]] std::optional<double> composed(const PlanTables& plan);
  /// The same by walking over all passes, in any case.
  [[nodiscard]] double walked(const PlanTables& plan, std::span<const PipelineStep> order);

 private:
  [[nodiscard]] std::optional<double> first_gathers(const PlanTables& plan);
  void last_reductions(const PlanTables& plan, double shift);
  [[nodiscard]] double one_stage(const PlanTables& plan);
  [[nodiscard]] double passes_whole(const PlanTables& plan, std::span<const PipelineStep> order);
  [[nodiscard]] double passes_by_part(const PlanTables& plan, std::span<const PipelineStep> order);
  void begin_clocks(const PlanTables& plan);
  [[nodiscard]] double end_of_step(const PlanTables& plan);

  // A chunk whose passes take what they take, but for the first, and end with reductions.
  struct WholeChunk {
    std::array<double, 4> seconds{};  // by SlotKind
    std::array<double, 4> tails{};
    std::array<double, 4>
        reduced{};            // from the start of a pass to the end of its reductions, if they wait for it alone
    double reductions = 0.0;  // one after the other
    std::size_t kind = 0;
    std::int64_t forwards = 0;
    std::int64_t weights = 0;
  };
  void begin_whole_chunks(const PlanTables& plan);

  std::vector<WholeChunk> whole_chunks_;
  std::vector<double> synced_;  // by stage: end of passes and of their communication
  std::vector<double> data_free_;
  std::vector<double> results_;
  std::vector<double> free_;
  std::vector<double> passes_;  // ends, by stage
  std::vector<double> state_;
  std::vector<double> before_;
  std::vector<StageClock::Chunk> chunks_;
  std::vector<StageClock> clocks_;
};

/// Most bytes that a rank holds, of the fullest stage.
[[nodiscard]] std::int64_t peak_bytes(const PipelineRun& run, const ShardTable& shards);

}  // namespace trainwright::model
