// How the job is split over ranks. Degrees are resolved: whatever the user left out has been derived
// (model/plan/resolve).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "model/units/byte_count.hpp"

namespace trainwright::model {

enum class PipelineSchedule { one_f_one_b, gpipe, interleaved, zero_bubble_h1, dual_pipe };
inline constexpr std::array<std::pair<std::string_view, PipelineSchedule>, 5> kPipelineScheduleWords{
    {{"1f1b", PipelineSchedule::one_f_one_b},
     {"gpipe", PipelineSchedule::gpipe},
     {"interleaved", PipelineSchedule::interleaved},
     {"zb-h1", PipelineSchedule::zero_bubble_h1},
     {"dualpipe", PipelineSchedule::dual_pipe}}};

enum class Recompute { none, selective, full };
inline constexpr std::array<std::pair<std::string_view, Recompute>, 3> kRecomputeWords{
    {{"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}}};

/// How ranks that hold parts of one sequence attend to all of it (docs/models/parallelism.md).
enum class ContextKind { ring, ulysses };
inline constexpr std::array<std::pair<std::string_view, ContextKind>, 2> kContextKindWords{
    {{"ring", ContextKind::ring}, {"ulysses", ContextKind::ulysses}}};

struct Layout {
  int dp = 1;   ///< data-parallel replicas
  int tp = 1;   ///< tensor parallel
  int pp = 1;   ///< pipeline stages
  int vpp = 1;  ///< chunks (virtual stages) per stage
  int cp = 1;   ///< context parallel
  int ep = 1;   ///< expert parallel
  int etp = 1;  ///< tensor parallel inside an expert
  bool sequence_parallel = false;
  int zero = 0;                  ///< sharding over the DP group: 0 none, 1 optimizer, 2 + gradients, 3 + parameters
  int zero_group = 0;            ///< ranks that share one shard set (HSDP); 0: the whole DP group
  std::int64_t micro_batch = 1;  ///< sequences per rank and micro-batch
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  Recompute recompute = Recompute::none;
  bool overlap_gradients = true;                    ///< DP communication beside backward compute
  ByteCount bucket = ByteCount(25L * 1024 * 1024);  ///< gradient bucket size
  bool overlap_parameters = true;  ///< gathered parameters beside compute: the next forward (zero 1, 2), prefetch (3)
  bool reshard_after_forward = true;   ///< zero 3: parameters are given back and gathered again for the backward pass
  int gathers_in_flight = 2;           ///< zero 3: units gathered at a time, with the one in use
  std::vector<int> stage_layers = {};  ///< layers of each virtual stage; empty: as even as possible
  ContextKind cp_kind = ContextKind::ring;
  int tensor_chunks = 1;     ///< pieces in which a gather or scatter of sequence parallelism runs beside its product
  int recompute_layers = 0;  ///< recompute full: the first so many layers of each virtual stage; 0: all
  friend bool operator==(const Layout&, const Layout&) = default;
};

[[nodiscard]] constexpr int world_size(const Layout& layout) {
  return layout.dp * layout.tp * layout.pp * layout.cp;
}

/// Micro-batches per step and pipeline; exact for a valid layout.
[[nodiscard]] constexpr std::int64_t micro_batches(const Layout& layout, std::int64_t global_batch) {
  return global_batch / (layout.micro_batch * layout.dp);
}

}  // namespace trainwright::model
