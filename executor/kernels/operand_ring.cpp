// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/operand_ring.hpp"

#include <algorithm>
#include <string>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

// Ranges begin on cache lines of 64 bytes.
constexpr std::int64_t kAlign = 16;

std::int64_t aligned(std::int64_t count) {
  return (count + kAlign - 1) / kAlign * kAlign;
}

}  // namespace

std::int64_t RingDemand::ring_length() const {
  // A result that does not fit behind the last one goes to the start, where it must stay clear of `recent`.
  return recent == 0 ? aligned(next) : aligned(recent) + 2 * aligned(next);
}

RingOperands OperandRing::take(const RingDemand& demand) {
  TRAINWRIGHT_EXPECTS(demand.ring_length() <= buffer_.count(),
                      std::to_string(demand.ring_length()) + " > " + std::to_string(buffer_.count()));
  const std::int64_t recent = aligned(demand.recent);
  const std::int64_t next = aligned(demand.next);
  // At the start of the ring less may lie behind than the task wants to read: it then reads from the start.
  end_ = std::max(end_, recent);
  float* recent_range = buffer_.data() + (end_ - recent);
  const std::int64_t begin = end_ + next <= buffer_.count() ? end_ : 0;
  end_ = begin + next;
  return {recent_range, buffer_.data() + begin};
}

}  // namespace trainwright::executor
