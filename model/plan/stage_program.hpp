// The program of one pipeline stage, put together slot by slot: passes of its chunks, messages between stages, and the
// communication over data-parallel ranks that belongs to them. Internal to the graph builder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/graph/execution_graph.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/pipeline_schedule.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// Lowered parts of the whole model: what stands before the layers, each layer, what stands after them.
[[nodiscard]] std::vector<LoweredPart> lower_model(const Plan& plan);

class StageProgram {
 public:
  /// `parts` of lower_model(); outlives this.
  StageProgram(const Plan& plan, const std::vector<LoweredPart>& parts, int stage);
  [[nodiscard]] Program build();

 private:
  struct Chunk {
    ChunkPlace place;
    bool is_first = false;
    bool is_last = false;
    std::vector<const LoweredPart*> parts;  // in forward order
    std::vector<GradientBucket> buckets;    // in backward order
    std::size_t reduced = 0;                // buckets of the pass in work
    std::int64_t forwards = 0;              // passes placed so far
    std::int64_t backwards = 0;             // passes whose weight gradients have been placed
    std::vector<TaskId> forward_ends;       // of whole passes
    std::vector<TaskId> backward_ends;
  };
  enum class Gradients { all, of_input, of_weights };

  TaskId add(const Task& task);
  void depend(std::optional<TaskId> before, TaskId after);
  std::optional<TaskId> place(const TaskChain& chain, Gradients which, const std::vector<TaskId>& inputs,
                              const PipelineSlot& slot);
  [[nodiscard]] Task transfer(bool is_send, ChunkPlace here, ChunkPlace peer, Pass pass,
                              const PipelineSlot& slot) const;
  void send(const Chunk& chunk, ChunkPlace peer, Pass pass, const PipelineSlot& slot, TaskId result);
  void wait_for_message(std::size_t first_task);
  void limit_receives(TaskId receive, const std::vector<TaskId>& ends);
  void forward(Chunk& chunk, const PipelineSlot& slot);
  void backward(Chunk& chunk, const PipelineSlot& slot);
  void weight_gradients(Chunk& chunk, const PipelineSlot& slot);

  std::vector<TaskId> communicate(const std::vector<CollectiveWork>& works, const std::vector<TaskId>& after);
  void gather_for_step(Chunk& chunk);
  void gather_units(const Chunk& chunk, std::size_t current, bool is_forward);
  void reduce(Chunk& chunk, const std::vector<TaskId>& part_ends, bool is_end_of_pass);
  void synchronize_mirror();
  void synchronize_embedding();
  void update();
  void add_resident();
  [[nodiscard]] std::vector<PartParameters> all_parts() const;
  [[nodiscard]] TaskId last_compute_task() const;

  const Plan& plan_;
  int stage_;
  std::int64_t count_;  // micro-batches of the step
  Sharding sharding_;
  std::vector<Chunk> chunks_;
  Program program_;
  std::vector<TaskId> syncs_;
  std::optional<TaskId> message_;                  ///< sent last, where the stage does not compute on meanwhile
  std::vector<TaskId> unit_ends_;                  // last compute task of every pass of a unit so far (zero 3)
  std::size_t pass_begin_ = 0;                     // of unit_ends_, of the pass in work
  std::vector<std::vector<TaskId>> pass_gathers_;  // what each part of the pass in work waits for, in pass order
};

}  // namespace trainwright::model
