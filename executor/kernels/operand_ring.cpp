// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/operand_ring.hpp"

namespace trainwright::executor {

RingOperands OperandRing::take(const RingDemand& demand) {
  const RingRanges ranges = cursor_.take(demand);
  return {buffer_.data() + ranges.recent, buffer_.data() + ranges.next};
}

}  // namespace trainwright::executor
