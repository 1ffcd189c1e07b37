// What a member of a communicator tells the hub, and what it hears. Both ends are this program on this machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::test {

enum class NcclOp : std::uint32_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  point_to_point,
  split,
  goodbye,
};

struct NcclHello {
  std::uint32_t room = 0;
  std::int32_t rank = 0;
  std::int32_t size = 0;
};

/// Followed by `parts` parts and `payload` bytes.
struct NcclRequest {
  NcclOp op = NcclOp::all_reduce;
  std::int32_t root = 0;
  std::int32_t color = 0;
  std::int32_t key = 0;
  std::uint32_t parts = 0;
  std::uint64_t count = 0;  ///< elements: of the buffer, or of a block
  std::uint64_t payload = 0;
};

struct NcclPart {
  std::int32_t is_send = 0;
  std::int32_t peer = 0;
  std::uint64_t count = 0;
};

/// Followed by `payload` bytes: the result, or the words of a failure.
struct NcclReply {
  std::int32_t code = 0;
  std::uint32_t room = 0;  ///< of a split; size 0: in none
  std::int32_t rank = 0;
  std::int32_t size = 0;
  std::uint64_t payload = 0;
};

inline constexpr int kNcclInvalidUsage = 5;

}  // namespace trainwright::test
