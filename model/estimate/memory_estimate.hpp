// Memory of each stage at its peak, in closed form; and by walking an execution graph, which the closed form is tested
// against. Equations: docs/models/memory.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/estimate/estimate.hpp"
#include "model/estimate/stage_model.hpp"

namespace trainwright::model {

/// Within this share of the capacity the verdict is "borderline": allocators fragment (docs/models/memory.md).
inline constexpr double kBorderlineShare = 0.05;
/// What a caching allocator reserves beyond tensors that come and go, as a share of these (docs/models/memory.md).
inline constexpr double kFragmentationShare = 0.07;

/// Bytes of a rank by how an allocator treats them: states that stay, library buffers and context are fixed; what comes
/// and goes is fragmented.
struct HeldBytes {
  std::int64_t fixed = 0;
  std::int64_t moving = 0;
  void add(MemoryTerm term, ByteCount bytes);
};
/// All of `held`, with fragmentation where the device has a caching allocator.
[[nodiscard]] std::int64_t reserved_bytes(const HeldBytes& held, bool is_fragmented);
/// Most that a rank holds before, between and after the passes of a step. `resident`: what it holds through the step.
[[nodiscard]] std::int64_t peak_outside_passes(const std::vector<ResidentMemory>& resident, const UpdateMemory& update,
                                               bool is_fragmented);

[[nodiscard]] MemoryEstimate estimate_memory(const Plan& plan, const StageModels& stages);

/// Peak of what the tasks of a program hold on the way through its compute stream, resident terms included, with what
/// a caching allocator adds.
[[nodiscard]] StageMemory walk_memory(const Program& program, bool is_fragmented);

/// Accelerators that a framework with a caching allocator drives; CPU ranks take memory from the system.
[[nodiscard]] bool has_caching_allocator(const Plan& plan);

/// Memory one rank may use: the device's, or its share of a CPU node's.
[[nodiscard]] ByteCount rank_capacity(const Plan& plan);

}  // namespace trainwright::model
