// How the program is called: help, wrong options, where output goes.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::CommandTest;
using testing_support::Outcome;
using testing_support::RunningProgram;

class Usage : public CommandTest {};

TEST_F(Usage, HelpNamesEveryCommandAndTheExitCodes) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const std::string command :
       {"predict", "search", "scale", "simulate", "execute", "measure", "calibrate", "import", "profiles", "validate"})
    EXPECT_THAT(outcome.out, HasSubstr("\n  " + command));
  EXPECT_THAT(outcome.out, HasSubstr("Exit code: 0 done, 1 ran but the answer is no"));
}

TEST_F(Usage, EveryCommandHasHelpWithItsOutputOptions) {
  for (const std::string command :
       {"predict", "search", "scale", "simulate", "execute", "measure", "calibrate", "import", "profiles"}) {
    const Outcome outcome = run({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("--json")) << command;
    EXPECT_THAT(outcome.out, HasSubstr("--quiet")) << command;
    EXPECT_EQ(outcome.err, "") << command;
  }
}

TEST_F(Usage, CommandsThatDoNotExistAreNotAdvertised) {
  const std::string help = run({"--help"}).out;
  for (const std::string command : {"explain", "export", "data"})
    EXPECT_EQ(help.find("\n  " + command + " "), std::string::npos) << command;
}

TEST_F(Usage, VersionIsPrinted) {
  EXPECT_THAT(run({"--version"}).out, StartsWith("trainwright "));
}

TEST_F(Usage, NoCommandIsBadInput) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "command line: a command is needed; --help lists them\n");
}

TEST_F(Usage, MisspeltCommandIsSuggested) {
  const Outcome outcome = run({"predit", "--model", "x"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "command line: \"predit\" is no command; did you mean predict?\n");
}

TEST_F(Usage, AllWrongOptionsAreReportedTogether) {
  const Outcome outcome = run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--tpp", "4", "--pp", "two",
                               "--schedule", "1f2b", "--bucket", "25"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("command line: --tpp: no such option; did you mean --tp"));
  EXPECT_THAT(outcome.err, HasSubstr("command line: --pp: \"two\" is not a whole number; for example --pp 8\n"));
  EXPECT_THAT(outcome.err,
              HasSubstr("command line: --schedule: \"1f2b\" is not known; allowed: 1f1b, gpipe, interleaved, "
                        "zb-h1, dualpipe; did you mean 1f1b"));
  EXPECT_THAT(outcome.err, HasSubstr("command line: --bucket: "));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 4) << outcome.err;
}

TEST_F(Usage, OptionWithoutItsValueIsBadInput) {
  const Outcome outcome = run({"predict", "--tp"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--tp"));
}

TEST_F(Usage, NegativeNumbersAreJudgedNotMisread) {
  const Outcome outcome = run({"predict", "--model", "gpt2", "--cluster", "dgx-a100", "--tp", "-1"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "command line: --tp: -1 is out of range; allowed: 1 to 1048576 [layout.range]\n");
}

TEST_F(Usage, StrayWordsAreBadInput) {
  const Outcome outcome = run({"predict", "gpt2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("\"gpt2\" is not expected here"));
}

TEST_F(Usage, MissingModelAndClusterAreBothNamed) {
  const Outcome outcome = run({"predict"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "command line: --model: is needed (or --plan); `trainwright profiles` lists the ids\n"
            "command line: --cluster: is needed (or --plan); `trainwright profiles` lists the ids\n");
}

TEST_F(Usage, UnknownIdsAreBothNamedWithSuggestions) {
  const Outcome outcome = run({"predict", "--model", "gpt-2", "--cluster", "dgx-a10"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--model: \"gpt-2\" is neither a known model nor a file; did you mean gpt2"));
  EXPECT_THAT(outcome.err,
              HasSubstr("--cluster: \"dgx-a10\" is neither a known cluster nor a file; did you mean dgx-a100"));
}

TEST_F(Usage, ProfilesAreListedAsTextAndAsJson) {
  const Outcome text = run({"profiles", "models"});
  EXPECT_THAT(text.out, StartsWith("models\n  "));
  const Outcome outcome = run({"profiles", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_FALSE(document.at("models").empty());
  EXPECT_FALSE(document.at("clusters").empty());
  EXPECT_FALSE(document.at("accelerators").empty());
  EXPECT_EQ(run({"profiles", "planets"}).exit_code, 2);
}

TEST_F(Usage, ClosedStandardOutputIsAnEnvironmentFailureNotACrash) {
  RunningProgram closed({"-c", std::string("exec \"$0\" profiles >&-"), TRAINWRIGHT_PROGRAM}, folder_, "/bin/sh");
  const Outcome outcome = closed.wait();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "trainwright: standard output cannot be written: Bad file descriptor\n");
}

TEST_F(Usage, BrokenPipeIsAnEnvironmentFailureNotASignal) {
  const Outcome outcome = RunningProgram({"profiles"}, folder_, {}, testing_support::StandardOutput::broken).wait();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "trainwright: standard output cannot be written: Broken pipe\n");
}

TEST_F(Usage, FullDiskIsAnEnvironmentFailure) {
  RunningProgram program({"-c", "exec \"$0\" profiles >/dev/full", TRAINWRIGHT_PROGRAM}, folder_, "/bin/sh");
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "trainwright: standard output cannot be written: No space left on device\n");
}

}  // namespace
}  // namespace trainwright
