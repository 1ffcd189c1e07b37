// Groups of forked ranks: they agree, report, fail together, and leave no process behind.
// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/rank_group.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

bool no_children_left() {
  return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

/// Runs the body on a number of ranks and collects the remarks they make.
struct Outcome {
  RankGroupResult result;
  std::vector<std::string> remarks;
};

Outcome run(int ranks, const std::function<void(RankContext&)>& body, std::function<bool()> interrupted = {}) {
  Outcome outcome;
  RankGroupOptions options;
  options.ranks = ranks;
  options.body = body;
  options.on_record = [&](const Record& record) {
    outcome.remarks.emplace_back(std::get<RemarkRecord>(record).text.view());
  };
  if (interrupted)
    options.interrupted = std::move(interrupted);
  outcome.result = run_rank_group(options);
  return outcome;
}

void remark(const RankContext& context, const std::string& text) {
  context.report(Record(RemarkRecord{FixedText<480>(text)}));
}

TEST(RankGroup, RanksShareNumbersAndText) {
  const Outcome outcome = run(3, [](RankContext& context) {
    const double first = context.from_first(10.0 + context.rank());
    const double largest = context.largest(context.rank());
    const std::string text = context.text_from_first("from rank " + std::to_string(context.rank()));
    if (context.rank() == 2)
      remark(context,
             std::to_string(static_cast<int>(first)) + " " + std::to_string(static_cast<int>(largest)) + " " + text);
  });
  EXPECT_EQ(outcome.result.failure, "");
  EXPECT_THAT(outcome.remarks, ElementsAre("10 2 from rank 0"));
  EXPECT_TRUE(no_children_left());
}

TEST(RankGroup, AgreesOnOneSampleOfTheActiveRanks) {
  // Ranks 0 to 2 take 1, 2 and 3 s; rank 2 is not asked, then it is disturbed.
  const Outcome outcome = run(3, [](RankContext& context) {
    Sample own{model::Seconds(1.0 + context.rank()), SampleFault::none};
    const bool active = context.rank() < 2;
    const Attempt mean = context.agree(own, active, model::Seconds(5.0 + context.rank()), RankContext::Combine::mean);
    const Attempt slowest = context.agree(own, active, model::Seconds(5.0), RankContext::Combine::slowest);
    if (context.rank() == 2)
      own.fault = SampleFault::preempted;
    const Attempt disturbed = context.agree(own, true, model::Seconds(5.0), RankContext::Combine::mean);
    const bool right = mean.sample.time == model::Seconds(1.5) && mean.elapsed == model::Seconds(5.0) &&
                       mean.sample.fault == SampleFault::none && slowest.sample.time == model::Seconds(2.0) &&
                       disturbed.sample.fault == SampleFault::preempted && disturbed.sample.time == model::Seconds(2.0);
    remark(context, right ? "right" : "wrong");
  });
  EXPECT_THAT(outcome.remarks, ElementsAre("right", "right", "right"));
}

TEST(RankGroup, KeepsStepThroughManyRounds) {
  const Outcome outcome = run(4, [](RankContext& context) {
    for (int round = 0; round < 2000; ++round)
      if (context.largest(round * 10.0 + context.rank()) != round * 10.0 + 3.0)
        throw model::EnvironmentError("out of step in round " + std::to_string(round));
  });
  EXPECT_EQ(outcome.result.failure, "");
}

TEST(RankGroup, OneFailureEndsAllAndIsNamed) {
  const Outcome outcome = run(3, [](RankContext& context) {
    if (context.rank() == 1)
      throw model::EnvironmentError("the disk is full", "free some space");
    context.wait_for_all();
  });
  EXPECT_EQ(outcome.result.failure, "rank 1: the disk is full; free some space");
  EXPECT_TRUE(no_children_left());
}

TEST(RankGroup, AKilledRankEndsAll) {
  const Outcome outcome = run(2, [](RankContext& context) {
    if (context.rank() == 0)
      raise(SIGKILL);
    context.wait_for_all();
  });
  EXPECT_THAT(outcome.result.failure, HasSubstr("killed by signal 9"));
  EXPECT_TRUE(no_children_left());
}

TEST(RankGroup, AnInterruptEndsAllAndKeepsWhatWasReported) {
  bool reported = false;
  RankGroupOptions options;
  options.ranks = 2;
  options.body = [](RankContext& context) {
    if (context.rank() == 0)
      remark(context, "one result");
    // Rank 1 never comes: only being killed ends this.
    while (context.rank() == 1)
      pause();
    context.wait_for_all();
  };
  options.on_record = [&](const Record&) { reported = true; };
  options.interrupted = [&] { return reported; };
  const RankGroupResult result = run_rank_group(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(no_children_left());
}

TEST(RankGroup, PatienceIsLimited) {
  RankGroupOptions options;
  options.ranks = 1;
  options.body = [](RankContext&) {
    while (true)
      pause();
  };
  options.patience = model::Seconds(0.05);
  EXPECT_EQ(run_rank_group(options).failure, "the ranks did not finish in time");
  EXPECT_TRUE(no_children_left());
}

}  // namespace
}  // namespace trainwright::executor
