// SPDX-License-Identifier: Apache-2.0
#include "model/units/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "model/units/units.hpp"

namespace trainwright::model {
namespace {

using namespace literals;

TEST(Quantity, DividesDataByRateIntoTime) {
  EXPECT_EQ((100_MB / 50_GBps), 0.002_s);
}

TEST(Quantity, DividesWorkByRateIntoTime) {
  EXPECT_EQ(Flops(3e12) / 2_TFLOPps, 1.5_s);
}

TEST(Quantity, MultipliesRateByTimeIntoData) {
  EXPECT_EQ(2_GBps * 3_s, Bytes(6e9));
}

TEST(Quantity, DividesDataByTimeIntoRate) {
  EXPECT_EQ(Bytes(6e9) / 3_s, 2_GBps);
}

TEST(Quantity, RatioOfEqualDimensionsIsANumber) {
  static_assert(std::is_same_v<decltype(3_s / 2_s), double>);
  EXPECT_EQ(3_s / 2_s, 1.5);
}

TEST(Quantity, ProductThatCancelsIsANumber) {
  const auto per_second = Quantity<Dim<-1, 0, 0>>(4.0);
  static_assert(std::is_same_v<decltype(per_second * 2_s), double>);
  EXPECT_EQ(per_second * 2_s, 8.0);
}

TEST(Quantity, AddsSubtractsScalesAndNegates) {
  EXPECT_EQ(1_s + 2_s, 3_s);
  EXPECT_EQ(1_s - 3_s, -(2_s));
  EXPECT_EQ(2.0 * 3_s, 6_s);
  EXPECT_EQ(6_s / 2.0, 3_s);
  Seconds total = 1_s;
  total += 2_s;
  total -= 0.5_s;
  total *= 2.0;
  EXPECT_EQ(total, 5_s);
}

TEST(ByteCount, StaysExactBeyondThirtyTwoBits) {
  const ByteCount six_gib = 3 * ByteCount(2L << 30);
  EXPECT_EQ(six_gib.count(), 6442450944L);
  EXPECT_EQ(to_bytes(six_gib).count(), 6442450944.0);
}

TEST(ByteCount, DividesUp) {
  EXPECT_EQ(divide_up(ByteCount(10), 4), ByteCount(3));
  EXPECT_EQ(divide_up(ByteCount(12), 4), ByteCount(3));
}

// A wrong combination must not compile.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Bytes>);
static_assert(!Addable<Bytes, ByteCount>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(!std::is_convertible_v<Seconds, double>);
static_assert(!std::is_same_v<decltype(Bytes(1) / FlopsPerSecond(1)), Seconds>);

}  // namespace
}  // namespace trainwright::model
