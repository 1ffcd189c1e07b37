// SPDX-License-Identifier: Apache-2.0
#include "model/io/json_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

TEST(CanonicalText, KeepsTheOrderOfKeysAndPutsRecordsOfAListOnOneLine) {
  const ordered_json value = {{"b", 1},
                              {"a", {{"x", 0.1}, {"list", {1, 2.5, "three"}}}},
                              {"records", {{{"n", 1}, {"times", {0.5, 1e-9}}}, {{"n", 2}}}},
                              {"nested", {{{"inner", {{"y", true}}}}}},
                              {"none", ordered_json::array()},
                              {"empty", ordered_json::object()}};
  EXPECT_EQ(canonical_text(value),
            "{\n"
            "  \"b\": 1,\n"
            "  \"a\": {\n"
            "    \"x\": 0.1,\n"
            "    \"list\": [1, 2.5, \"three\"]\n"
            "  },\n"
            "  \"records\": [\n"
            "    {\"n\": 1, \"times\": [0.5, 1e-09]},\n"
            "    {\"n\": 2}\n"
            "  ],\n"
            "  \"nested\": [\n"
            "    {\n"
            "      \"inner\": {\n"
            "        \"y\": true\n"
            "      }\n"
            "    }\n"
            "  ],\n"
            "  \"none\": [],\n"
            "  \"empty\": {}\n"
            "}\n");
}

TEST(CanonicalText, WritesTextThatIsNotUtf8Readably) {
  EXPECT_EQ(canonical_text(ordered_json("a\xFFz")), "\"a\xEF\xBF\xBDz\"\n");
}

TEST(CanonicalTextDeathTest, NeverWritesNaN) {
  const ordered_json value = {{"x", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_DEATH(static_cast<void>(canonical_text(value)), "number in a file to write: nan");
}

TEST(ExactText, IsPrettyWhereThatIsExact) {
  EXPECT_EQ(exact_text(BytesPerSecond(450e9)), "450 GB/s");
  EXPECT_EQ(exact_text(Seconds(1.5e-6)), "1.5 us");
  EXPECT_EQ(exact_text(Seconds(0.0)), "0 s");
  EXPECT_EQ(exact_text(ByteCount(0)), "0 B");
  EXPECT_EQ(exact_text(ByteCount(25L << 20U)), "26.2144 MB");
  EXPECT_EQ(exact_text(FlopsPerSecond(989.4e12)), "989.4 TFLOP/s");
}

TEST(ExactText, FallsBackToBaseUnits) {
  EXPECT_EQ(exact_text(BytesPerSecond(1.0 / 3.0)), "0.3333333333333333 B/s");
  EXPECT_EQ(exact_text(ByteCount(8'123'456'789'012'345)), "8123456789012345 B");
}

}  // namespace
}  // namespace trainwright::model
