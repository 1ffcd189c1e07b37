// Which layers a chunk holds, and where its input comes from and its output goes.
// A micro-batch visits the virtual stages 0, 1, ... in order; chunk c of stage s is one of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/plan/layout.hpp"

namespace trainwright::model {

/// Layers [begin, end).
struct LayerRange {
  int begin = 0;
  int end = 0;
  [[nodiscard]] int size() const { return end - begin; }
  friend bool operator==(const LayerRange&, const LayerRange&) = default;
};

struct ChunkPlace {
  int stage = 0;
  int chunk = 0;
  friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

/// Chunks on a stage: vpp; two with DualPipe, which holds the layers of a stage and of its mirror image.
[[nodiscard]] int chunks_per_stage(const Layout& layout);
/// Parts that the model is cut into.
[[nodiscard]] int virtual_stage_count(const Layout& layout);
[[nodiscard]] int virtual_stage(const Layout& layout, ChunkPlace place);
/// Where a micro-batch of the chunk goes on to (comes from); only where the virtual stage is not the last (first).
[[nodiscard]] ChunkPlace next_place(const Layout& layout, ChunkPlace place);
[[nodiscard]] ChunkPlace previous_place(const Layout& layout, ChunkPlace place);
/// Micro-batches that pass through one chunk: all, half of them with DualPipe.
[[nodiscard]] std::int64_t micro_batches_of_chunk(const Layout& layout, std::int64_t micro_batches);

/// Layers of every virtual stage: as Layout::stage_layers says, else equal numbers; where they do not divide, the last,
/// the first, the last but one ... virtual stage has one less, since head and embedding stand there.
[[nodiscard]] std::vector<LayerRange> layer_ranges(int layers, const Layout& layout);

/// What is recomputed of a layer that lies in `range`, its virtual stage's.
[[nodiscard]] Recompute layer_recompute(const Layout& layout, const LayerRange& range, int layer);

}  // namespace trainwright::model
