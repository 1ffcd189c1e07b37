// SPDX-License-Identifier: Apache-2.0
#include "cli/process/executor_events.hpp"

#include <gtest/gtest.h>

namespace trainwright::cli {
namespace {

TEST(ExecutorEvents, StepsBecomeProgress) {
  const auto event = parse_event(R"({"event": "step", "step": 3, "time_s": 0.412})");
  ASSERT_TRUE(event);
  EXPECT_EQ(progress_text(*event, 10), "step 3 of 10, 412 ms");
  EXPECT_EQ(progress_text(*event, 0), "step 3, 412 ms");
}

TEST(ExecutorEvents, PhasesAndMeasuringBecomeProgress) {
  EXPECT_EQ(progress_text(*parse_event(R"({"event": "phase", "phase": "warm-up"})"), 0), "warm-up");
  EXPECT_EQ(progress_text(*parse_event(R"({"event": "progress", "done": 0.25, "what": "gemm"})"), 0), "gemm 25 %");
}

TEST(ExecutorEvents, TheWrittenFileIsNamedByRunAndByMeasure) {
  EXPECT_EQ(parse_event(R"({"event": "done", "measurement": "a.json", "trace": "t.json"})")->measurement, "a.json");
  EXPECT_EQ(parse_event(R"({"event": "finished", "out": "b.json"})")->measurement, "b.json");
}

TEST(ExecutorEvents, OtherLinesAreNotEvents) {
  for (const char* line : {"", "not json", "[1]", "3", "{}", R"({"event": 3})"})
    EXPECT_FALSE(parse_event(line)) << line;
}

TEST(ExecutorEvents, FieldsOfAnotherTypeArePassedOver) {
  const auto event = parse_event(R"({"event": "step", "step": "three", "time_s": null, "more": 1})");
  ASSERT_TRUE(event);
  EXPECT_FALSE(event->step);
  EXPECT_EQ(progress_text(*event, 10), "");
}

}  // namespace
}  // namespace trainwright::cli
