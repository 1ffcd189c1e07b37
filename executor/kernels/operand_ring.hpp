// Where tasks find their operands: a ring of floats as large as the memory that the program's tensors of one kind need
// together. Tasks write results, or read tensors kept since long, one after another along the ring: a place that was
// last touched a ring's length ago, so it is in a cache only if the whole working set fits there, as in a real step.
// What was written last may be read at once, and is still in a cache if it is small, as in a real step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "executor/kernels/aligned_buffer.hpp"

namespace trainwright::executor {

/// Floats that one task takes from a ring.
struct RingDemand {
  std::int64_t recent = 0;  ///< results of the tasks just before
  std::int64_t next = 0;    ///< to be written, or kept since long

  /// Length of a ring in which the two ranges never overlap.
  [[nodiscard]] std::int64_t ring_length() const;
};

/// Two ranges that do not overlap; each begins on a cache line.
struct RingOperands {
  float* recent = nullptr;
  float* next = nullptr;
};

class OperandRing {
 public:
  OperandRing() = default;
  explicit OperandRing(std::int64_t length) : buffer_(length) {}

  /// The ranges of the next task; demand.ring_length() must not exceed the ring's.
  RingOperands take(const RingDemand& demand);

  [[nodiscard]] AlignedBuffer& buffer() { return buffer_; }
  [[nodiscard]] const AlignedBuffer& buffer() const { return buffer_; }

 private:
  AlignedBuffer buffer_;
  std::int64_t end_ = 0;  ///< where the last `next` range ends
};

}  // namespace trainwright::executor
