// What one micro-batch costs in each kind of layer under one split of the work, and the same put together for the
// virtual stages of a pipeline: what the search looks up where the estimator lowers operators anew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/estimate/stage_clock.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/sharding.hpp"

namespace trainwright::model {

/// Bytes that a chain of tasks holds relative to its beginning.
struct ChainBytes {
  std::int64_t net = 0;         ///< what stays: it comes and goes with micro-batches
  std::int64_t peak = 0;        ///< most beside what is held at the beginning
  std::int64_t peak_fixed = 0;  ///< of the peak: buffers of libraries
};

/// A layer, or what stands before or after the layers. Passes by SlotKind; those with gradients put off are empty
/// unless the table was asked for them.
struct PartCost {
  struct Pass {
    double seconds = 0.0;
    double tail = 0.0;  ///< from the result to the end
  };
  std::array<Pass, 4> passes{};
  ChainBytes forward;
  ChainBytes backward;
  PartParameters parameters;
};

struct PassTable {
  std::vector<PartCost> parts;        ///< distinct
  std::vector<std::size_t> sequence;  ///< before the layers, each layer, after the layers: indices of `parts`
};

/// Lowers and times the parts of `plan`, whose schedule, chunks and sharding do not matter. `puts_weights_off`: with
/// the passes of schedules that do gradients of weights later.
[[nodiscard]] PassTable pass_table(const Plan& plan, bool puts_weights_off);

/// Virtual stages that hold the same layers are one kind.
struct StageKind {
  ChunkPasses passes;
  std::array<std::vector<double>, 4> part_ends;  ///< by SlotKind: end of each part from the start of the pass
  std::vector<PartParameters> parameters;        ///< by part, backward order
  PartParameters all;                            ///< their sum
  ChainBytes forward;
  ChainBytes backward;
};
struct StageTable {
  std::vector<StageKind> kinds;
  std::vector<std::size_t> of_virtual_stage;
  [[nodiscard]] const StageKind& at(int virtual_stage) const {
    return kinds[of_virtual_stage[static_cast<std::size_t>(virtual_stage)]];
  }
};

/// The parts dealt out to the virtual stages of `layout`.
[[nodiscard]] StageTable stage_table(const PassTable& passes, const Layout& layout);

}  // namespace trainwright::model
