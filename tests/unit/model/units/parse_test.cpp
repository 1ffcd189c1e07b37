// SPDX-License-Identifier: Apache-2.0
#include "model/units/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

TEST(Parse, KnowsDecimalAndBinaryBytes) {
  EXPECT_EQ(parse_byte_count("80 GB").value, ByteCount(80'000'000'000));
  EXPECT_EQ(parse_byte_count("80 GiB").value, ByteCount(80L << 30));
  EXPECT_EQ(parse_byte_count("512kB").value, ByteCount(512'000));
  EXPECT_EQ(parse_byte_count("0").value, ByteCount(0));
}

TEST(Parse, KnowsBitsAndBytesPerSecond) {
  EXPECT_EQ(parse_bytes_per_second("400 Gbit/s").value, BytesPerSecond(50e9));
  EXPECT_EQ(parse_bytes_per_second("50 GB/s").value, BytesPerSecond(50e9));
  EXPECT_EQ(parse_bytes_per_second("2.5 TB/s").value, BytesPerSecond(2.5e12));
}

TEST(Parse, KnowsTimesAndWork) {
  EXPECT_EQ(parse_seconds("1.5 us").value, Seconds(1.5e-6));
  EXPECT_EQ(parse_seconds("2 min").value, Seconds(120));
  EXPECT_EQ(parse_flops_per_second("989 TFLOP/s").value, FlopsPerSecond(989e12));
  EXPECT_EQ(parse_flops("12 GFLOP").value, Flops(12e9));
}

TEST(Parse, RefusesAmbiguousUnitsWithBothSpellings) {
  for (const char* text : {"400 Gb", "400Gb/s", "50 GBps", "50 Gbps", "50 gb/s"}) {
    const auto parsed = parse_bytes_per_second(text);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_EQ(parsed.problem, "\"" + std::string(text) + "\" has no known unit");
    EXPECT_EQ(parsed.hint, "write for example \"50 GB/s\" or \"400 Gbit/s\"");
  }
}

TEST(Parse, RefusesBareNumbersButZero) {
  EXPECT_EQ(parse_seconds("3").problem, "\"3\" has no unit");
  EXPECT_EQ(parse_seconds("0").value, Seconds(0));
}

TEST(Parse, RefusesWhatIsNoFiniteNumber) {
  EXPECT_EQ(parse_seconds("fast").problem, "\"fast\" does not begin with a number");
  EXPECT_EQ(parse_seconds("").problem, "\"\" does not begin with a number");
  EXPECT_EQ(parse_seconds("nan s").problem, "\"nan s\" is not a finite number");
  EXPECT_EQ(parse_seconds("inf s").problem, "\"inf s\" is not a finite number");
  EXPECT_EQ(parse_seconds("1e999 s").problem, "\"1e999 s\" is out of range");
  EXPECT_EQ(parse_byte_count("-1 GB").problem, "\"-1 GB\" is negative");
  EXPECT_EQ(parse_byte_count("1e30 PB").problem, "\"1e30 PB\" is out of range");
}

TEST(Parse, DoesNotReadTheCommaOfALocale) {
  EXPECT_FALSE(parse_seconds("1,5 s").value);
}

TEST(Parse, ReadsWhatFormatWrites) {
  for (double exponent = -8.0; exponent <= 4.0; exponent += 0.37) {
    const Seconds value(std::pow(10.0, exponent));
    const auto parsed = parse_seconds(format(value, 12));
    ASSERT_TRUE(parsed.value) << format(value, 12);
    EXPECT_NEAR(parsed.value->count() / value.count(), 1.0, 1e-10);
  }
}

}  // namespace
}  // namespace trainwright::model
