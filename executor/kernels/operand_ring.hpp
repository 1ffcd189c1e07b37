// Where tasks find their operands: a ring of floats as large as the memory that the program's tensors of one kind need
// together. Tasks write results, or read tensors kept since long, one after another along the ring: a place that was
// last touched a ring's length ago, so it is in a cache only if the whole working set fits there, as in a real step.
// What was written last may be read at once, and is still in a cache if it is small, as in a real step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "executor/kernels/aligned_buffer.hpp"
#include "executor/kernels/ring_cursor.hpp"

namespace trainwright::executor {

/// Two ranges that do not overlap; each begins on a cache line.
struct RingOperands {
  float* recent = nullptr;
  float* next = nullptr;
};

class OperandRing {
 public:
  OperandRing() = default;
  explicit OperandRing(std::int64_t length) : cursor_(length, kAlign), buffer_(length) {}

  /// Ranges begin on cache lines of 64 bytes: floats.
  static constexpr std::int64_t kAlign = 16;

  /// The ranges of the next task, in floats; demand.ring_length(kAlign) must not exceed the ring's.
  RingOperands take(const RingDemand& demand);

  [[nodiscard]] AlignedBuffer& buffer() { return buffer_; }
  [[nodiscard]] const AlignedBuffer& buffer() const { return buffer_; }

 private:
  RingCursor cursor_{0, kAlign};
  AlignedBuffer buffer_;
};

}  // namespace trainwright::executor
