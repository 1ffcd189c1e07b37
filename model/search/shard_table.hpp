// What one way to keep data-parallel copies equal costs a pipeline of given stages, whatever its passes take: durations
// of the collectives, of the update, and the bytes a rank holds through the step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/stage_clock.hpp"
#include "model/search/pass_table.hpp"

namespace trainwright::model {

struct ShardTable {
  ClockRules rules;                     ///< its passes are those of the run it is used with
  std::vector<ChunkMessages> messages;  ///< by kind of virtual stage
  std::vector<double> updates;          ///< by stage: of the optimizer, and of a gather after it
  struct Resident {
    HeldBytes held;                   ///< through the step
    std::int64_t outside_passes = 0;  ///< most before, between and after the passes
  };
  std::vector<Resident> resident;  ///< by stage
  bool is_fragmented = false;      ///< by a caching allocator
  double shared_embedding = 0.0;   ///< reduced between the first and the last stage
  std::vector<double> mirrors;     ///< DualPipe: between a stage of the first half and its mirror image
  bool communicates = false;       ///< there are copies to keep equal
};

/// `groups` are those of the plan's layout.
[[nodiscard]] ShardTable shard_table(const Plan& plan, const StageTable& stages, const DataParallelGroups& groups);

}  // namespace trainwright::model
