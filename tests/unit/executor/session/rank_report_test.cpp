// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_report.hpp"

#include <gtest/gtest.h>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

const std::vector<RankReport> kReports{
    PhaseReport{RankPhase::verifying},
    StepReport{3, 1'000'000'000'000, {{1'000'000'000'100, 1'000'000'000'200}, {-1, 2}}},
    StepReport{4, 5, {}},
    FinishedReport{123'456'789'012},
    FailureReport{true, "rank 1, task 7: peer closed\nthe connection"},
    FailureReport{false, ""},
};

TEST(RankReport, ReadsBackEveryKindWhateverTheChunks) {
  std::string bytes;
  for (const RankReport& report : kReports)
    bytes += encode(report);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{64}, bytes.size()}) {
    ReportReader reader;
    std::vector<RankReport> got;
    for (std::size_t begin = 0; begin < bytes.size(); begin += chunk) {
      reader.append(std::string_view(bytes).substr(begin, chunk));
      while (auto report = reader.next())
        got.push_back(std::move(*report));
    }
    EXPECT_EQ(got, kReports) << "chunks of " << chunk;
  }
}

TEST(RankReport, RefusesWhatNoRankWrites) {
  ReportReader reader;
  reader.append("this is not a report");
  EXPECT_THROW(static_cast<void>(reader.next()), model::EnvironmentError);
}

TEST(RankReport, RefusesAStepCutInTheMiddleOfAStamp) {
  std::string bytes = encode(StepReport{0, 0, {{1, 2}}});
  bytes[4] = static_cast<char>(bytes[4] - 1);  // the frame says one byte less
  ReportReader reader;
  reader.append(bytes);
  EXPECT_THROW(static_cast<void>(reader.next()), model::EnvironmentError);
}

}  // namespace
}  // namespace trainwright::executor
