// The passes of a pipeline without data-parallel communication, slot by slot, once for all ways to shard: when they
// end, when those begin that communicate, and what they hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/pipeline_time.hpp"
#include "model/search/pass_table.hpp"

namespace trainwright::model {

/// The last pass with gradients of weights of a chunk: after it they are reduced.
struct LastPass {
  std::size_t kind = 0;  ///< of its virtual stage
  SlotKind slot = SlotKind::backward;
  double start = 0.0;
};

struct PipelineRun {
  std::vector<double> ends;            ///< of the last pass, by stage
  std::vector<double> first_starts;    ///< of the first forward pass, by stage and chunk
  std::vector<LastPass> last_passes;   ///< by stage, as many as it has chunks, in their order
  std::vector<HeldBytes> activations;  ///< most held beside what is resident, by stage, chunk, forward and backward
  double total = 0.0;                  ///< the latest of `ends`
  std::int64_t micro_batches = 0;      ///< of the step
  std::int64_t count = 0;              ///< of them through a chunk
  double message = 0.0;
};

/// `order` is of `layout` and `micro_batches`.
[[nodiscard]] PipelineRun pipeline_run(const StageTable& stages, const Layout& layout, std::int64_t micro_batches,
                                       double message, std::span<const PipelineStep> order);

}  // namespace trainwright::model
