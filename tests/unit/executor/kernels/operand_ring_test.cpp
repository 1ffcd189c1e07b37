// The ring's promises: ranges never overlap, stay inside, follow each other, and come round.
// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/operand_ring.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trainwright::executor {
namespace {

TEST(OperandRing, WhatWasWrittenLastIsReadNext) {
  OperandRing ring(1024);
  const RingOperands first = ring.take({0, 64});
  const RingOperands second = ring.take({64, 32});
  EXPECT_EQ(second.recent, first.next);
  EXPECT_EQ(second.next, first.next + 64);
}

TEST(OperandRing, ComesRoundWhenTheEndIsReached) {
  OperandRing ring(256);
  const float* begin = ring.take({0, 96}).next;
  EXPECT_EQ(ring.take({0, 96}).next, begin + 96);
  const RingOperands wrapped = ring.take({64, 96});
  EXPECT_EQ(wrapped.next, begin);
  EXPECT_EQ(wrapped.recent, begin + 128);
}

TEST(OperandRing, RangesNeverOverlapAndStayInside) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const RingDemand largest{static_cast<std::int64_t>(random() % 100), static_cast<std::int64_t>(1 + random() % 100)};
    OperandRing ring(largest.ring_length(OperandRing::kAlign) + static_cast<std::int64_t>(random() % 50));
    for (int step = 0; step < 50; ++step) {
      const RingDemand demand{static_cast<std::int64_t>(random() % static_cast<unsigned>(largest.recent + 1)),
                              static_cast<std::int64_t>(random() % static_cast<unsigned>(largest.next + 1))};
      const RingOperands operands = ring.take(demand);
      const float* begin = ring.buffer().data();
      const float* end = begin + ring.buffer().count();
      EXPECT_GE(operands.recent, begin);
      EXPECT_LE(operands.recent + demand.recent, end);
      EXPECT_GE(operands.next, begin);
      EXPECT_LE(operands.next + demand.next, end);
      const bool both = demand.recent > 0 && demand.next > 0;
      EXPECT_TRUE(!both || operands.recent + demand.recent <= operands.next ||
                  operands.next + demand.next <= operands.recent)
          << demand.recent << ' ' << demand.next;
    }
  }
}

TEST(OperandRing, BuffersHoldFiniteNumbersThatAreNotZero) {
  const AlignedBuffer buffer(100000);
  for (std::int64_t i = 0; i < buffer.count(); ++i) {
    ASSERT_NE(buffer.data()[i], 0.0F) << i;
    ASSERT_LE(buffer.data()[i], 1.0F) << i;
    ASSERT_GE(buffer.data()[i], -1.0F) << i;
  }
}

}  // namespace
}  // namespace trainwright::executor
