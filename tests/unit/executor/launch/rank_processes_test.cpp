// SPDX-License-Identifier: Apache-2.0
#include "executor/launch/rank_processes.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "executor/launch/machine_check.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr int kExit3 = 3 << 8;  // as waitpid gives it

RankProcess ended(int status, int order, std::optional<FailureReport> failure = {}) {
  RankProcess rank;
  rank.pid = 1;
  rank.status = status;
  rank.end_order = order;
  rank.failure = std::move(failure);
  return rank;
}

TEST(FailedFirst, BlamesTheKilledRankNotThoseThatLostIt) {
  std::vector<RankProcess> ranks;
  ranks.push_back(ended(kExit3, 1, FailureReport{true, "peer closed the connection"}));
  ranks.push_back(ended(SIGKILL, 2));
  ranks.push_back(RankProcess{});
  EXPECT_EQ(failed_first(ranks), 1U);
}

TEST(FailedFirst, BlamesAnOwnFailureBeforeALostPeer) {
  std::vector<RankProcess> ranks;
  ranks.push_back(ended(kExit3, 1, FailureReport{true, "peer closed the connection"}));
  ranks.push_back(ended(kExit3, 2, FailureReport{false, "no memory"}));
  EXPECT_EQ(failed_first(ranks), 1U);
}

TEST(FailedFirst, BlamesTheEarlierOfEquals) {
  std::vector<RankProcess> ranks;
  ranks.push_back(ended(kExit3, 2, FailureReport{true, "timed out"}));
  ranks.push_back(ended(kExit3, 1, FailureReport{true, "timed out"}));
  EXPECT_EQ(failed_first(ranks), 1U);
}

TEST(DescribeFailure, NamesSignalPhaseAndLog) {
  const std::filesystem::path log = std::filesystem::path(::testing::TempDir()) / "rank-7.log";
  std::ofstream(log) << "one\ntwo\nthree\n";
  RankProcess rank = ended(SIGKILL, 1);
  rank.phase = RankPhase::measuring;
  rank.steps.resize(2);
  rank.log = log;
  EXPECT_EQ(describe_failure(rank, 7),
            "rank 7 was killed by signal 9 (KILL) while measuring, after 2 steps; last lines of rank-7.log:\n"
            "one\ntwo\nthree");
}

TEST(LastLines, TakesOnlyTheEnd) {
  const std::filesystem::path log = std::filesystem::path(::testing::TempDir()) / "long.log";
  std::ofstream(log) << "one\ntwo\nthree\n";
  EXPECT_EQ(last_lines(log, 2), "two\nthree");
  EXPECT_EQ(last_lines(log, 9), "one\ntwo\nthree");
  EXPECT_EQ(last_lines(log.string() + ".missing", 2), "");
}

TEST(CheckMachine, NamesTheNumberThatWorks) {
  EXPECT_NO_THROW(check_machine({2, 0}, 8, 0));
  try {
    check_machine({2, 0}, 9, 0);
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_STREQ(error.what(),
                 "9 ranks are too many for 2 cores; this machine runs plans of up to 8 ranks (4 on a core)");
  }
}

TEST(CheckMachine, ComparesMemoryWithWhatIsFree) {
  EXPECT_NO_THROW(check_machine({2, 2 * kRankBaseBytes + 1000}, 2, 1000));
  EXPECT_THROW(check_machine({2, 2 * kRankBaseBytes + 1000}, 2, 1001), model::EnvironmentError);
}

}  // namespace
}  // namespace trainwright::executor
