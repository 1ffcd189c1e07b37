// Where the ranges of a task lie in a ring of memory, whatever the memory is: operand_ring.hpp says why there is a
// ring. Lengths are in any unit, the same throughout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::executor {

/// What one task takes from a ring.
struct RingDemand {
  std::int64_t recent = 0;  ///< results of the tasks just before
  std::int64_t next = 0;    ///< to be written, or kept since long

  /// Length of a ring in which the two ranges never overlap, both beginning at multiples of `align`.
  [[nodiscard]] std::int64_t ring_length(std::int64_t align) const;
};

/// Offsets of two ranges that do not overlap.
struct RingRanges {
  std::int64_t recent = 0;
  std::int64_t next = 0;
};

class RingCursor {
 public:
  RingCursor(std::int64_t length, std::int64_t align) : length_(length), align_(align) {}

  /// The ranges of the next task; demand.ring_length(align) must not exceed the ring's.
  RingRanges take(const RingDemand& demand);

 private:
  std::int64_t length_;
  std::int64_t align_;
  std::int64_t end_ = 0;  ///< where the last `next` range ends
};

}  // namespace trainwright::executor
