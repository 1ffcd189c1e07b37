// What the ranks of one node keep in the memory of its host, and its peak while a checkpoint is loaded.
// Equations: docs/models/memory.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/estimate/estimate.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Items and their sum for the fullest node; capacity as the cluster states it. The verdict is left to the caller.
[[nodiscard]] HostMemory host_memory(const Plan& plan, const StageModels& stages);

/// A model read by every process in fp32 before it is sharded: `parameters` x 4 bytes x `processes`.
[[nodiscard]] ByteCount loading_host_bytes(std::int64_t parameters, int processes);

}  // namespace trainwright::model
