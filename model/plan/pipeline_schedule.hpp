// In which order a stage works through its micro-batches, for every pipeline schedule. docs/models/pipelines.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/layout.hpp"

namespace trainwright::model {

/// backward: both gradients. Zero-bubble schedules do the gradient of the input first and that of the weights later.
enum class SlotKind : std::uint8_t { forward, backward, backward_input, backward_weight };

struct PipelineSlot {
  SlotKind kind = SlotKind::forward;
  std::int32_t micro_batch = 0;
  std::int16_t chunk = 0;
  friend bool operator==(const PipelineSlot&, const PipelineSlot&) = default;
};

/// Slots of `stage` in order. `layout` gives schedule, stages (pp) and chunks (vpp); micro_batches > 0.
///   gpipe        all forwards, then all backwards (Huang et al., arXiv 1811.06965)
///   1f1b         arXiv 2104.04473, section 2.2.1
///   interleaved  arXiv 2104.04473, section 2.2.2; groups of micro-batches, see below
///   zb-h1        arXiv 2401.10241, section 2.1: weight gradients fill the bubble, as many activations as 1F1B's first
///                stage holds
///   dualpipe     arXiv 2412.19437, section 3.2.1: two directions; pp even, micro_batches even and at least 2 pp.
///                Chunk 0 runs micro-batches [0, half) from stage 0 on, chunk 1 the others from the last stage on.
[[nodiscard]] std::vector<PipelineSlot> pipeline_slots(const Layout& layout, int stage, std::int64_t micro_batches);

/// Micro-batches that a chunk takes in a row before the next chunk has its turn; pp unless the layout says more.
[[nodiscard]] std::int32_t interleave_group(const Layout& layout);
/// Groups hold at least pp micro-batches, the last one too: Megatron-Core, microbatch-group-size-per-vp-stage.
[[nodiscard]] bool fits_interleave_group(const Layout& layout, std::int64_t micro_batches);

/// Most micro-batches (of one chunk each) whose activations `stage` holds at a time; of a chunk's layers, not a
/// stage's.
[[nodiscard]] std::int64_t held_chunks(const std::vector<PipelineSlot>& slots);

}  // namespace trainwright::model
