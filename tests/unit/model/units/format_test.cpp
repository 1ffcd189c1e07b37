// SPDX-License-Identifier: Apache-2.0
#include "model/units/format.hpp"

#include <gtest/gtest.h>

namespace trainwright::model {
namespace {

TEST(Format, ChoosesTheLargestUnitThatKeepsTheNumberAboveOne) {
  EXPECT_EQ(format(Seconds(0.412)), "412 ms");
  EXPECT_EQ(format(Seconds(1.5e-6)), "1.5 us");
  EXPECT_EQ(format(Seconds(75.0)), "75 s");
  EXPECT_EQ(format(Seconds(0.0)), "0 s");
  EXPECT_EQ(format(ByteCount(61'234'000'000)), "61.2 GB");
  EXPECT_EQ(format(BytesPerSecond(450e9)), "450 GB/s");
  EXPECT_EQ(format(FlopsPerSecond(312.4e12)), "312 TFLOP/s");
}

TEST(Format, RoundsIntoTheNextUnit) {
  EXPECT_EQ(format(Seconds(0.9999)), "1 s");
}

TEST(Format, KeepsLargeNumbersWhole) {
  EXPECT_EQ(format(Seconds(123456.0)), "123000 s");
}

TEST(Format, NumbersReadBackExactly) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, 12345678.9, -0.0})
    EXPECT_EQ(std::stod(format_number(value)), value);
}

TEST(Format, FixedAndSignificant) {
  EXPECT_EQ(format_fixed(3.14159, 2), "3.14");
  EXPECT_EQ(format_significant(0.00012345, 3), "0.000123");
  EXPECT_EQ(format_significant(99.96, 3), "100");
}

}  // namespace
}  // namespace trainwright::model
