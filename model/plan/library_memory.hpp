// Device memory that libraries hold before the first tensor exists: workspaces of matrix libraries, buffers of the
// communication library for each group, the driver's context. docs/models/memory.md has the origin of every number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/graph/execution_graph.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// One communicator that a rank joins.
struct CommunicatorMemory {
  GroupAxis axis = GroupAxis::world;
  int ranks = 1;
  ByteCount bytes;
};

/// Groups of more than one rank that the layout makes, the world's included, with what the library allocates for each.
/// Empty on CPU ranks.
[[nodiscard]] std::vector<CommunicatorMemory> communicator_memory(const Plan& plan);

/// Resident terms workspaces, communication and context of one rank; empty on CPU ranks.
[[nodiscard]] std::vector<ResidentMemory> library_memory(const Plan& plan);

}  // namespace trainwright::model
