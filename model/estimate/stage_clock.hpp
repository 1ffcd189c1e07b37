// One rank of each pipeline stage through a step: its compute stream and its data-parallel stream as two clocks, part
// by part where they wait for each other, whole passes at once elsewhere. Takes the place of a walk over the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/collective/collective_cost.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// Durations of the data-parallel collectives of the chunks of a plan.
class DataParallelTimes {
 public:
  explicit DataParallelTimes(const Plan& plan);
  [[nodiscard]] double reduction(const PartParameters& parameters) const;
  [[nodiscard]] double gather(const PartParameters& parameters, Pass pass = Pass::forward) const;

 private:
  [[nodiscard]] double sum(const std::vector<CollectiveWork>& works) const;
  const Plan& plan_;
  std::vector<GroupShape> shapes_;  // by GroupAxis; only the axes that sharding uses
};

class StageClocks final : public PassTimer {
 public:
  /// `stages` by virtual stage; both outlive this.
  StageClocks(const Plan& plan, const StageModels& stages);

  Ends ends_of(int stage, const PipelineSlot& slot, double start) override;

  /// End of all data-parallel communication of the passes.
  [[nodiscard]] double data_end(int stage) const { return clocks_[static_cast<std::size_t>(stage)].data_free; }
  /// Time that the compute stream of a stage waited for data-parallel communication or was slowed down by it.
  [[nodiscard]] double exposed_in_passes(int stage) const { return clocks_[static_cast<std::size_t>(stage)].exposed; }

 private:
  struct ChunkClock {
    const StageModel* model = nullptr;
    std::vector<PartParameters> parameters;  // by part, backward order
    std::vector<GradientBucket> buckets;
    std::vector<double> bucket_times;           // reductions
    std::vector<double> gather_times;           // zero 3: by part, forward order; zero 1, 2: by bucket
    std::vector<double> backward_gather_times;  // zero 3: by part, backward order
    std::int64_t forwards = 0;
    std::int64_t weights = 0;
    bool is_last = false;
  };
  struct Clock {
    std::vector<ChunkClock> chunks;
    double data_free = 0.0;
    double exposed = 0.0;
    std::vector<double> unit_ends;  // zero 3
  };

  double advance(Clock& clock, double now, double work);
  double wait(Clock& clock, double now, double until);
  double forward(Clock& clock, ChunkClock& chunk, double start);
  double backward(Clock& clock, ChunkClock& chunk, const PipelineSlot& slot, double start);
  void gather_units(Clock& clock, const ChunkClock& chunk, std::size_t current, bool is_forward,
                    std::vector<double>& gathered, std::size_t pass_begin);

  const Plan& plan_;
  Sharding sharding_;
  std::int64_t count_;  // micro-batches that pass through a chunk
  std::vector<Clock> clocks_;
};

}  // namespace trainwright::model
