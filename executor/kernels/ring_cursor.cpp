// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/ring_cursor.hpp"

#include <algorithm>
#include <string>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

std::int64_t aligned(std::int64_t count, std::int64_t align) {
  return (count + align - 1) / align * align;
}

}  // namespace

std::int64_t RingDemand::ring_length(std::int64_t align) const {
  // A result that does not fit behind the last one goes to the start, where it must stay clear of `recent`.
  return recent == 0 ? aligned(next, align) : aligned(recent, align) + 2 * aligned(next, align);
}

RingRanges RingCursor::take(const RingDemand& demand) {
  TRAINWRIGHT_EXPECTS(demand.ring_length(align_) <= length_,
                      std::to_string(demand.ring_length(align_)) + " > " + std::to_string(length_));
  const std::int64_t recent = aligned(demand.recent, align_);
  const std::int64_t next = aligned(demand.next, align_);
  // At the start of the ring less may lie behind than the task wants to read: it then reads from the start.
  end_ = std::max(end_, recent);
  const std::int64_t recent_begin = end_ - recent;
  const std::int64_t begin = end_ + next <= length_ ? end_ : 0;
  end_ = begin + next;
  return {recent_begin, begin};
}

}  // namespace trainwright::executor
