// Times of collectives and messages between ranks of this machine, through the executor's own backend, and what a
// running collective costs a matrix product beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "executor/backend/backend.hpp"
#include "executor/measurement/sampling.hpp"
#include "model/graph/task.hpp"

namespace trainwright::executor {

struct CollectivePlan {
  std::vector<model::CollectiveKind> kinds;
  std::vector<std::int64_t> bytes;  ///< as CollectiveWork counts; rounded up to whole floats for each rank
  bool transfers = false;           ///< also messages from rank 0 to rank 1
  bool interference = false;        ///< also a matrix product beside a collective
  std::uint64_t seed = 1;
  bool cores_are_own = true;  ///< each rank has a core: standing in line for one is a disturbance
  PointRules rules;
  model::Seconds end = model::Seconds::zero();
};

[[nodiscard]] std::vector<model::CollectiveKind> measured_collectives();
[[nodiscard]] std::vector<std::int64_t> collective_sizes(bool quick);
/// Powers of two below `ranks`, and `ranks`: 6 -> 2, 4, 6. Empty for one rank.
[[nodiscard]] std::vector<int> collective_group_sizes(int ranks);

/// `bytes` rounded up to a multiple of one float for each of `ranks`.
[[nodiscard]] std::int64_t whole_blocks(std::int64_t bytes, int ranks);

/// Together, two or more ranks. Every point is checked once with known data before it is timed; wrong data leave it
/// out, with a remark. Throws CommunicationError when a peer is lost.
void measure_collectives(RankContext& context, Communicator& communicator, const CollectivePlan& plan);

}  // namespace trainwright::executor
