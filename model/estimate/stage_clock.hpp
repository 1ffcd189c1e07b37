// One rank of a pipeline stage through a step: its compute stream and its data-parallel stream as two clocks, part by
// part where they wait for each other, whole passes at once elsewhere. Takes the place of a walk over the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/collective/collective_cost.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// How the data-parallel groups of one rank lie on the cluster; depends on degrees and shard group alone.
class DataParallelGroups {
 public:
  explicit DataParallelGroups(const Plan& plan);
  [[nodiscard]] const GroupShape& shape(GroupAxis axis) const { return shapes_[static_cast<std::size_t>(axis)]; }

 private:
  std::array<GroupShape, kGroupAxisWords.size()> shapes_{};  // only the axes that sharding uses
};

/// Durations of the data-parallel collectives of the chunks of a plan. Plan and groups outlive this.
class DataParallelTimes {
 public:
  DataParallelTimes(const Plan& plan, const DataParallelGroups& groups) : plan_(plan), groups_(groups) {}
  [[nodiscard]] double reduction(const PartParameters& parameters) const;
  [[nodiscard]] double gather(const PartParameters& parameters, Pass pass = Pass::forward) const;

 private:
  [[nodiscard]] double sum(const std::vector<CollectiveWork>& works) const;
  const Plan& plan_;
  const DataParallelGroups& groups_;
};

/// Seconds of the passes of one micro-batch through a chunk, by part.
struct PassParts {
  std::vector<double> seconds;  ///< forward passes in forward order, the others in backward order
  double sum = 0.0;
  double tail = 0.0;  ///< from the result, ready to be sent on, to the end of the pass
};
struct ChunkPasses {
  std::array<PassParts, 4> by_kind;  ///< by SlotKind
  [[nodiscard]] const PassParts& of(SlotKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};
[[nodiscard]] ChunkPasses chunk_passes(const StageModel& stage);

/// The data-parallel communication that belongs to the passes of a chunk.
struct ChunkMessages {
  struct Bucket {
    std::size_t last_part = 0;  ///< of the backward pass
    double reduction = 0.0;
    double gather = 0.0;  ///< zero 1, 2: of the parameters that the last step updated
  };
  std::vector<Bucket> buckets;                ///< in backward order
  std::vector<double> unit_gathers;           ///< zero 3: by part, forward order
  std::vector<double> backward_unit_gathers;  ///< likewise for the backward pass, backward order
};
/// `parts`: parameters of the chunk in backward order.
[[nodiscard]] ChunkMessages chunk_messages(const Plan& plan, const DataParallelTimes& times,
                                           const std::vector<PartParameters>& parts);

/// What of a layout decides when the two streams wait for each other.
struct ClockRules {
  bool shards_parameters = false;
  bool reduces_every_pass = false;
  bool gathers_first = false;  ///< zero 1, 2: updated parameters are gathered beside the first forward pass
  bool overlaps_gradients = true;
  bool reshards = true;        ///< zero 3: parameters are gathered again for the backward pass
  bool keeps_last = false;     ///< zero 3: but the last unit, whose backward pass follows at once
  std::size_t buffers = 1;     ///< zero 3: units gathered at a time
  std::int64_t passes = 1;     ///< micro-batches through a chunk
  double compute_share = 0.0;  ///< that a running collective takes from compute
};
[[nodiscard]] ClockRules clock_rules(const Plan& plan);

/// The clocks of one stage. Allocates until its buffers have grown to the size of the largest pass.
class StageClock {
 public:
  /// Both outlive the step.
  struct Chunk {
    const ChunkPasses* passes = nullptr;
    const ChunkMessages* messages = nullptr;
    bool is_last = false;  ///< holds the last virtual stage
  };

  /// Begins a step. `chunks` outlives it.
  void begin(const ClockRules& rules, std::span<const Chunk> chunks);
  /// The next pass of a chunk, begun at `start`.
  PassTimer::Ends pass(int chunk, SlotKind kind, double start);
  /// Leaves `rounds` rounds of one forward and one backward pass of a single chunk out: each moves the streams on by
  /// these periods and changes nothing else.
  void skip(std::int64_t rounds, double compute_period, double data_period);

  /// End of all data-parallel communication so far.
  [[nodiscard]] double data_end() const { return data_free_; }
  /// Time that the compute stream waited for data-parallel communication or was slowed down by it.
  [[nodiscard]] double exposed() const { return exposed_; }
  /// Ends of the units whose buffers the next gathers wait for.
  [[nodiscard]] std::span<const double> unit_ends() const { return unit_ends_; }

 private:
  struct Counts {
    std::int64_t forwards = 0;
    std::int64_t weights = 0;  // passes with gradients of weights
  };
  double advance(double now, double work);
  double wait(double now, double until);
  void begin_units();
  void gather_units(const Chunk& chunk, std::size_t current, bool is_forward);
  double forward(const Chunk& chunk, bool is_first, double start);
  double backward(const Chunk& chunk, Counts& counts, SlotKind kind, double start);

  ClockRules rules_;
  std::span<const Chunk> chunks_;
  std::vector<Counts> counts_;
  double data_free_ = 0.0;
  double exposed_ = 0.0;
  std::vector<double> unit_ends_;  // zero 3: of the last units before the pass, then of the pass
  std::size_t units_before_ = 0;   // of them before the pass
  std::vector<double> gathered_;   // by part of the pass in work
};

/// The clocks of all stages of a plan.
class StageClocks final : public PassTimer {
 public:
  /// `stages` by virtual stage.
  StageClocks(const Plan& plan, const StageModels& stages);

  Ends ends_of(int stage, const PipelineSlot& slot, double start) override;

  [[nodiscard]] double data_end(int stage) const { return clocks_[static_cast<std::size_t>(stage)].data_end(); }
  [[nodiscard]] double exposed_in_passes(int stage) const { return clocks_[static_cast<std::size_t>(stage)].exposed(); }

 private:
  std::vector<ChunkPasses> passes_;      // by distinct virtual stage
  std::vector<ChunkMessages> messages_;  // likewise
  std::vector<std::vector<StageClock::Chunk>> chunks_;
  std::vector<StageClock> clocks_;
};

}  // namespace trainwright::model
