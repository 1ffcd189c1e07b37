// Options of measure: defaults, values, and every problem at once.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/measure_options.hpp"

#include <gtest/gtest.h>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

TEST(MeasureOptions, HaveDefaults) {
  const MeasureOptions options = parse_measure_options({});
  EXPECT_EQ(options.ranks, std::nullopt);
  EXPECT_EQ(options.out, "measurement.json");
  EXPECT_EQ(options.budget, model::Seconds(30.0));
  EXPECT_FALSE(options.quick);
}

TEST(MeasureOptions, TakeValuesInBothForms) {
  const MeasureOptions options =
      parse_measure_options({"--nproc", "4", "--out=a.json", "--budget", "2.5", "--quick", "--run-dir", "/tmp"});
  EXPECT_EQ(options.ranks, 4);
  EXPECT_EQ(options.out, "a.json");
  EXPECT_EQ(options.budget, model::Seconds(2.5));
  EXPECT_TRUE(options.quick);
  EXPECT_EQ(options.run_dir, "/tmp");
}

TEST(MeasureOptions, ReportEveryProblem) {
  try {
    static_cast<void>(parse_measure_options({"--nproc", "0", "--budget=fast", "--colour", "--out", "", "--run-dir"}));
    FAIL() << "accepted";
  } catch (const model::InputError& error) {
    EXPECT_EQ(
        error.diagnostics().to_text(),
        "command line: --nproc: \"0\" is not a whole number from 1 to 1024\n"
        "command line: --budget: \"fast\" is not a number of seconds from 1 to 86400; write 30 for half a minute\n"
        "command line: --colour: is not an option of measure; allowed: --nproc, --out, --budget, --quick, "
        "--run-dir, --help\n"
        "command line: --out: is empty; name a file or folder\n"
        "command line: --run-dir: needs a value\n");
  }
}

TEST(MeasureOptions, RefuseNumbersThatAreNone) {
  for (const char* text : {"nan", "inf", "-1", "1e", "30s", ""})
    EXPECT_THROW(static_cast<void>(parse_measure_options({"--budget", text})), model::InputError) << text;
}

}  // namespace
}  // namespace trainwright::executor
