// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/advice_model.hpp"
#include "gui/models/breakdown_model.hpp"
#include "gui/models/diagnostics_model.hpp"
#include "gui/models/memory_model.hpp"
#include "gui/models/profile_list_model.hpp"
#include "gui/models/roles.hpp"
#include "gui/models/what_if_model.hpp"
#include "tests/gui/support/model_text.hpp"
#include "tests/gui/support/scenarios.hpp"

namespace trainwright::gui {
namespace {

using testing_support::headerText;
using testing_support::modelText;

const DisplayFormat kEnglish(QLocale(QLocale::English, QLocale::UnitedStates));

std::shared_ptr<const model::Estimate> sample() {
  return std::make_shared<const model::Estimate>(testing_support::sampleEstimate());
}

/// A model under QAbstractItemModelTester, filled after the tester looks on.
template <class Model>
struct Watched {
  Watched() { model.setFormat(kEnglish); }
  Model model;
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST(BreakdownModel, ShowsThePartsThatTakeTime) {
  Watched<BreakdownModel> watched;
  watched.model.setEstimate(sample());
  EXPECT_EQ(headerText(watched.model), "Part of the step | Time | Share");
  EXPECT_EQ(modelText(watched.model),
            "Compute | 600 ms | 60.0 %\n"
            "Exposed TP communication | 250 ms | 25.0 %\n"
            "Bubble | 150 ms | 15.0 %\n");
}

TEST(BreakdownModel, SharesSumToTheStep) {
  Watched<BreakdownModel> watched;
  watched.model.setEstimate(sample());
  double sum = 0.0;
  for (int row = 0; row < watched.model.rowCount(); ++row)
    sum += watched.model.index(row, BreakdownModel::share_column).data(kShareRole).toDouble();
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(BreakdownModel, SortsByTimeAndNotByText) {
  Watched<BreakdownModel> watched;
  watched.model.setEstimate(sample());
  EXPECT_DOUBLE_EQ(watched.model.index(1, BreakdownModel::time_column).data(kSortRole).toDouble(), 0.25);
  EXPECT_EQ(watched.model.index(2, BreakdownModel::part_column).data(kActivityRole).toInt(),
            static_cast<int>(Activity::bubble));
}

TEST(BreakdownModel, EmptiesAgain) {
  Watched<BreakdownModel> watched;
  watched.model.setEstimate(sample());
  watched.model.setEstimate(nullptr);
  EXPECT_EQ(watched.model.rowCount(), 0);
}

TEST(MemoryModel, HasAColumnForEachTermThatOccurs) {
  Watched<MemoryModel> watched;
  watched.model.setEstimate(sample());
  EXPECT_EQ(headerText(watched.model), "Stage | Ranks | Peak in | Peak | Free | Weights | Activations | Logits");
  EXPECT_EQ(modelText(watched.model),
            "0 | 8 | backward | 50.0 GB | 30.0 GB | 20.0 GB | 30.0 GB | 0 B\n"
            "1 | 8 | backward | 41.0 GB | 39.0 GB | 20.0 GB | 15.0 GB | 6.00 GB\n");
}

TEST(WhatIfModel, PutsTheLargestGainFirst) {
  Watched<WhatIfModel> watched;
  watched.model.setEstimate(sample());
  EXPECT_EQ(headerText(watched.model), "If 2 times as fast | Step | Change");
  EXPECT_EQ(modelText(watched.model),
            "network between nodes | 700 ms | -30.0 %\n"
            "compute | 800 ms | -20.0 %\n");
}

TEST(AdviceModel, SaysWhatWasNotComputed) {
  Watched<AdviceModel> watched;
  watched.model.setEstimate(sample());
  EXPECT_EQ(modelText(watched.model),
            "tp 4 | -10.0 % | 40.0 GB | fewer bytes\n"
            "fuse kernels | not computed | not computed | less launch time\n");
}

TEST(DiagnosticsModel, NamesTheFieldOfAProblem) {
  DiagnosticsModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model::Diagnostics problems;
  problems.add_error("scenario", "/layout/tp", "3 does not divide 16", "use 4");
  problems.add_warning("scenario", "/cluster/groups/0", "unequal");
  model.setDiagnostics(problems);
  EXPECT_EQ(headerText(model), "Kind | Field | Problem | What to do");
  EXPECT_EQ(modelText(model),
            "Error | Tensor parallel (TP) | 3 does not divide 16 | use 4\n"
            "Warning | /cluster/groups/0 | unequal | \n");
  EXPECT_EQ(model.index(0, 0).data(kFieldRole).toInt(), static_cast<int>(Field::tp));
}

TEST(ProfileListModel, ListsAnOpenedFileFirst) {
  Watched<ProfileListModel> watched;
  watched.model.setProfiles(testing_support::FakePlanSource().models());
  EXPECT_EQ(modelText(watched.model), "Big Model (8.03 B parameters)\nSmall Model (124 M parameters)\n");
  EXPECT_EQ(watched.model.rowOf("small"), 1);
  watched.model.setOpened(ProfileEntry{"mine", "My Model", 0, 0});
  EXPECT_EQ(modelText(watched.model), "My Model\nBig Model (8.03 B parameters)\nSmall Model (124 M parameters)\n");
  EXPECT_EQ(watched.model.rowOf("small"), 2);
  EXPECT_EQ(watched.model.rowOf("unknown"), -1);
}

}  // namespace
}  // namespace trainwright::gui
