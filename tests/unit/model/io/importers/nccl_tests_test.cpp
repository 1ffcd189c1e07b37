// Logs of nccl-tests in the shapes that people have them. Figures of two p5 and two p4de instances:
// https://github.com/aws-samples/awsome-distributed-training, micro-benchmarks/nccl-tests.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/nccl_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* kHeader =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
constexpr const char* kEnd = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 100\n";

std::string table(const std::string& rows) {
  return kHeader + rows + kEnd;
}

const std::string kTwoP5 = table(
    "           8             2     float     sum      -1    69.12    0.00    0.00      0    72.43    0.00    0.00     "
    " 0\n"
    "  1073741824     268435456     float     sum      -1   4607.6  233.04  436.95      0   4565.6  235.18  440.96     "
    " 0\n"
    " 17179869184    4294967296     float     sum      -1    66132  259.78  487.09      0    66109  259.87  487.26    "
    "N/A\n");

NcclTestsLog read_good(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<NcclTestsLog> log = read_nccl_tests(text, "l.log", diagnostics);
  EXPECT_TRUE(log) << diagnostics.to_text();
  return log.value_or(NcclTestsLog{});
}

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_nccl_tests(text, "l.log", diagnostics));
  return diagnostics.to_text();
}

std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string result = prefix;
  for (const char c : text) {
    result += c;
    if (c == '\n')
      result += prefix;
  }
  return result.substr(0, result.size() - prefix.size());
}

TEST(NetworkCases, N22PrefixesOfLaunchersDoNotMatter) {
  const NcclTestsLog plain = read_good(kTwoP5);
  ASSERT_EQ(plain.rows.size(), 3U);
  EXPECT_EQ(plain.rows.back().bytes, 17179869184);
  ASSERT_EQ(plain.rows.back().times.size(), 2U);
  EXPECT_NEAR(plain.rows.back().times[1].bus_bandwidth, 487.26e9, 1.0);
  EXPECT_EQ(read_good(prefixed(kTwoP5, "[1,0]<stdout>:")), plain);
  EXPECT_EQ(read_good(prefixed(kTwoP5, "0: ")), plain);
}

TEST(NetworkCases, N22ReformattedSizesAndFewerColumnsAreRead) {
  const NcclTestsLog log = read_good(
      "           size    time   algbw   busbw\n"
      "            (B)    (us)  (GB/s)  (GB/s)\n"
      "       1048_576   101.9   10.29   18.00\n"
      "            64M   684.6   98.02  171.54\n"
      " 17_179_869_184  127997  134.22  234.89\n");
  ASSERT_EQ(log.rows.size(), 3U);
  EXPECT_EQ(log.rows[0].bytes, 1048576);
  EXPECT_EQ(log.rows[1].bytes, 64L << 20);
  EXPECT_EQ(log.rows[2].bytes, 17179869184);
  EXPECT_FALSE(log.has_summary);
}

Measurement measured(const std::string& text, const NcclTestsOptions& options) {
  Diagnostics diagnostics;
  const std::optional<Measurement> result = measurement_of(read_good(text), options, "l.log", diagnostics);
  EXPECT_TRUE(result) << diagnostics.to_text();
  return result.value_or(Measurement{});
}

std::string unusable(const std::string& text, const NcclTestsOptions& options) {
  Diagnostics diagnostics;
  EXPECT_FALSE(measurement_of(read_good(text), options, "l.log", diagnostics));
  return diagnostics.to_text();
}

TEST(NcclTests, RanksFollowFromTheRatioOfAnAllReduce) {
  const Measurement measurement = measured(kTwoP5, {.nodes = 2});
  ASSERT_EQ(measurement.collectives.size(), 3U);
  const CollectivePoint& largest = measurement.collectives.back();
  EXPECT_EQ(largest.kind, CollectiveKind::all_reduce);
  EXPECT_EQ(largest.ranks, 16);
  EXPECT_EQ(largest.nodes, 2);
  EXPECT_EQ(largest.bytes, 17179869184);
  EXPECT_EQ(largest.time.count, 2);
  EXPECT_NEAR(largest.time.median_s, 0.0661205, 1e-9);
  EXPECT_FALSE(measurement.partial);
}

TEST(NcclTests, WhatTheLogDoesNotTellIsAskedFor) {
  EXPECT_EQ(unusable(kTwoP5, {}), "l.log: does not tell on how many nodes the ranks were; add --nodes\n");
  const std::string gather =
      table("  1073741824  16777216  float  none  -1  5000.0  214.75  201.33  0  5000.0  214.75  201.33  0\n");
  EXPECT_EQ(unusable(gather, {.nodes = 2}),
            "l.log: does not tell which collective was measured; add --collective, for example all_gather\n"
            "l.log: does not tell how many ranks took part; add --ranks\n");
  const Measurement given = measured(gather, {CollectiveKind::all_gather, 16, 2});
  EXPECT_EQ(given.collectives.front().kind, CollectiveKind::all_gather);
}

TEST(NcclTests, AContradictionWithTheOptionsIsRefused) {
  EXPECT_THAT(unusable(kTwoP5, {.ranks = 8, .nodes = 1}),
              HasSubstr("busbw / algbw is 1.875; all_reduce on 8 ranks has 1.750"));
  EXPECT_THAT(unusable(kTwoP5, {.ranks = 16, .nodes = 32}), HasSubstr("32 nodes cannot hold 16 ranks"));
}

TEST(NcclTests, TheListOfRanksTellsHostsAndDevice) {
  const std::string text =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20\n"
      "# Using devices\n"
      "#  Rank  0 Group  0 Pid  11 on  node-a device  0 [0x53] NVIDIA H100 80GB HBM3\n"
      "#  Rank  1 Group  0 Pid  12 on  node-b device  0 [0x64] NVIDIA H100 80GB HBM3\n"
      "NCCL version 2.21.5+cuda12.4\n" +
      table("  1073741824  268435456  float  sum  -1  24000.0  44.74  44.74  0  24000.0  44.74  44.74  0\n");
  const Measurement measurement = measured(text, {.kind = CollectiveKind::all_reduce});
  EXPECT_EQ(measurement.collectives.front().ranks, 2);
  EXPECT_EQ(measurement.collectives.front().nodes, 2);
  EXPECT_EQ(measurement.environment.host, "node-a, node-b");
  EXPECT_EQ(measurement.environment.processor, "NVIDIA H100 80GB HBM3");
  EXPECT_THAT(measurement.environment.versions,
              Contains(std::pair<std::string, std::string>("nccl", "2.21.5+cuda12.4")));
}

TEST(NetworkCases, N22RowsWithWrongResultsAreLeftOut) {
  const std::string text = table(
      "  1073741824  268435456  float  sum  -1  4607.6  233.04  436.95  3  4565.6  235.18  440.96  0\n"
      "  2147483648  536870912  float  sum  -1  9074.5  236.65  443.72  1  9108.5  235.77  442.06  2\n");
  const Measurement measurement = measured(text, {.nodes = 2});
  ASSERT_EQ(measurement.collectives.size(), 1U);
  EXPECT_EQ(measurement.collectives.front().time.count, 1);
  EXPECT_EQ(measurement.collectives.front().time.invalid, 1);
  EXPECT_THAT(measurement.notes, Contains("2147483648 B: 2 times left out, their results were wrong"));
}

TEST(NcclTests, UnusableLogsAreRefused) {
  EXPECT_THAT(refusal("hello\n"), HasSubstr("holds no table of nccl-tests"));
  EXPECT_THAT(refusal(kHeader), HasSubstr("has the header of a table, but no rows"));
  EXPECT_THAT(refusal(std::string(kHeader) + "  1024  256  float\n"), HasSubstr("a row has 3 columns, the header 13"));
  EXPECT_THAT(refusal(table("1073741824 268435456 float sum -1 4607.6 23.04 436.95 0 4565.6 235.18 440.96 0\n")),
              HasSubstr("over its time is not the algbw beside it"));
  EXPECT_THAT(refusal(table("1073741824 268435456 float sum -1 fast 23.04 436.95 0 4565.6 235.18 440.96 0\n")),
              HasSubstr("column time is \"fast\", no number"));
  EXPECT_THAT(
      refusal(std::string(kHeader) + "1073741824 268435456 float sum -1 4607.6 233.04 436.95 0 4565.6 235.18 440.96 0\n"
                                     "# Out of bounds values : 3 FAILED\n"),
      HasSubstr("values were out of bounds"));
}

TEST(NcclTests, ALogWithoutItsEndIsPartial) {
  const std::string text =
      std::string(kHeader) + "1073741824 268435456 float sum -1 4607.6 233.04 436.95 0 4565.6 235.18 440.96 0\n";
  EXPECT_TRUE(measured(text, {.nodes = 2}).partial);
}

TEST(NetworkCases, N21BusBandwidthFactors) {
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(CollectiveKind::all_reduce, 16), 1.875);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(CollectiveKind::all_reduce, 8), 1.75);
  EXPECT_NEAR(24.83 * bus_bandwidth_factor(CollectiveKind::all_to_all, 64), 24.44, 0.005);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(CollectiveKind::all_gather, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(CollectiveKind::broadcast, 4), 1.0);
}

}  // namespace
}  // namespace trainwright::model
