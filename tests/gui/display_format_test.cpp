// SPDX-License-Identifier: Apache-2.0
#include "gui/format/display_format.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/gui/support/model_text.hpp"

namespace trainwright::gui {
namespace {

using testing_support::plain;

const DisplayFormat kEnglish(QLocale(QLocale::English, QLocale::UnitedStates));
const DisplayFormat kGerman(QLocale(QLocale::German, QLocale::Germany));

TEST(DisplayFormat, SecondsTakeTheLargestUnitThatKeepsTheNumberAboveOne) {
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(0.412))), "412 ms");
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(1.0))), "1.00 s");
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(1.53e-6))), "1.53 µs");
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(0.0))), "0 s");
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(3600.0 * 5))), "5.00 h");
  EXPECT_EQ(plain(kEnglish.seconds(model::Seconds(86400.0 * 12))), "12.0 d");
}

TEST(DisplayFormat, BytesAreDecimal) {
  EXPECT_EQ(plain(kEnglish.bytes(model::ByteCount(61'200'000'000))), "61.2 GB");
  EXPECT_EQ(plain(kEnglish.bytes(model::ByteCount(0))), "0 B");
  EXPECT_EQ(plain(kEnglish.bytesOf(model::ByteCount(61'200'000'000), model::ByteCount(80'000'000'000))),
            "61.2 / 80.0 GB");
}

TEST(DisplayFormat, IntervalUsesTheUnitOfTheValue) {
  EXPECT_EQ(plain(kEnglish.interval(model::Seconds(1.2), model::Seconds(0.98), model::Seconds(1.42))),
            "1.20 s (0.980–1.42)");
}

TEST(DisplayFormat, FollowsTheLocale) {
  EXPECT_EQ(plain(kGerman.seconds(model::Seconds(0.00412))), "4,12 ms");
  EXPECT_EQ(plain(kEnglish.significant(87412.0)), "87,412");
  EXPECT_EQ(plain(kGerman.significant(87412.0)), "87.412");
}

TEST(DisplayFormat, RatesAndParameters) {
  EXPECT_EQ(plain(kEnglish.flopRate(model::FlopsPerSecond(4.16e14))), "416 TFLOP/s");
  EXPECT_EQ(plain(kEnglish.bandwidth(model::BytesPerSecond(4.5e11))), "450 GB/s");
  EXPECT_EQ(plain(kEnglish.parameters(8'030'261'248)), "8.03 B");
  EXPECT_EQ(plain(kEnglish.parameters(12)), "12");
}

TEST(DisplayFormat, NumbersThatAreNoneAreADash) {
  EXPECT_EQ(plain(kEnglish.percent(std::numeric_limits<double>::quiet_NaN())), "–");
  EXPECT_EQ(plain(kEnglish.significant(std::numeric_limits<double>::infinity())), "–");
}

TEST(DisplayFormat, SignedPercent) {
  EXPECT_EQ(plain(kEnglish.signedPercent(0.123, 1)), "+12.3 %");
  EXPECT_EQ(plain(kEnglish.signedPercent(-0.05)), "-5 %");
  EXPECT_EQ(plain(kEnglish.signedPercent(-0.0004, 1)), "0.0 %");
  EXPECT_EQ(plain(kEnglish.signedPercent(0.004)), "0 %");
}

}  // namespace
}  // namespace trainwright::gui
