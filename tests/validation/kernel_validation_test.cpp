// Shipped constants of kernels and links against published measurements, and fits against values known beforehand.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "model/base/error.hpp"
#include "model/cost/task_duration.hpp"
#include "model/io/file.hpp"
#include "model/validation/kernel_fit.hpp"
#include "model/validation/names.hpp"

namespace trainwright::model::validation {
namespace {

std::vector<KernelSet> sets_of(const std::string& name, std::vector<RowResult>& skipped) {
  Diagnostics problems;
  const std::string file = std::string(TRAINWRIGHT_TESTS_FOLDER) + "/fixtures/published/" + name;
  const std::optional<Table> table = load_table(read_file(file, problems), name, problems);
  throw_if_errors(problems);
  return kernel_sets(*table, skipped);
}

struct Limits {
  double median;
  double p90;
};

void expect_within(const std::string& name, std::size_t rows, const Limits& limits) {
  std::vector<RowResult> skipped;
  const Summary s = summarise(validate_kernels(sets_of(name, skipped)));
  EXPECT_TRUE(skipped.empty()) << skipped.front().skipped;
  EXPECT_EQ(s.covered, rows);
  EXPECT_LT(*s.median_abs_error, limits.median);
  EXPECT_LT(*s.p90_abs_error, limits.p90);
}

// The limits are those that the whole tables are held to when left-out shapes are predicted.
TEST(KernelValidation, GemmOfFiveCardsWithinFourPercent) {
  expect_within("gemm.csv", 50, {0.04, 0.12});
}

TEST(KernelValidation, AttentionOfFiveCardsWithinThreeAndAHalfPercent) {
  expect_within("attention.csv", 30, {0.035, 0.10});
}

TEST(KernelValidation, CollectivesInsideNvlinkNodesWithinSixPercent) {
  expect_within("collectives.csv", 99, {0.06, 0.18});
}

// Times made with known constants: a fit to half of them predicts the other half.
TEST(KernelFit, FindsConstantsThatMadeTheTimes) {
  const Accelerator device = *accelerator_named("h100-sxm");
  CostConstants truth = kernels_alone(CostConstants{});
  GemmConstants& bf16 = truth.gemm[static_cast<std::size_t>(Precision::bf16)];
  bf16.peak_fraction = 0.60;
  bf16.fixed_s = 6e-6;
  Table table{"made.csv", std::vector<GemmRow>{}};
  auto& rows = std::get<std::vector<GemmRow>>(table.rows);
  for (const std::int64_t m : {256, 1024, 4096, 16384})
    for (const std::int64_t n : {1024, 4096, 8192})
      for (const std::int64_t k : {1024, 4096, 16384}) {
        GemmRow row;
        row.id.row_id = std::to_string(rows.size());
        row.id.source = "made";
        row.gpu = "h100-sxm";
        row.work = {m, n, k, 1, Precision::bf16};
        row.time_us = duration(row.work, device, truth).count() * 1e6;
        rows.push_back(row);
      }
  std::vector<RowResult> skipped;
  const std::vector<KernelSet> sets = kernel_sets(table, skipped);
  ASSERT_EQ(sets.size(), 1U);
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  const CostConstants fitted = fit_set(sets[0], all, CostConstants{});
  const GemmConstants& found = fitted.gemm[static_cast<std::size_t>(Precision::bf16)];
  EXPECT_NEAR(found.peak_fraction, 0.60, 0.01);
  EXPECT_NEAR(found.fixed_s, 6e-6, 0.3e-6);

  const std::vector<RowResult> left_out = cross_validate(sets, 1);
  EXPECT_EQ(left_out.size(), rows.size()) << "each row is predicted once";
  EXPECT_LT(*summarise(left_out).p90_abs_error, 0.02);

  const std::vector<RowResult> new_card = hold_out_cards(sets, 8, 1);
  const Summary s = summarise(new_card);
  EXPECT_EQ(new_card.size(), rows.size());
  EXPECT_EQ(s.rows, rows.size() - 8) << "the points that calibrate do not count";
  EXPECT_LT(*s.p90_abs_error, 0.05);
}

TEST(KernelFit, WritesFilesForTheFamilyAndForOtherCards) {
  std::vector<RowResult> skipped;
  const auto files = constant_files(sets_of("gemm.csv", skipped));
  std::vector<std::string> names;
  for (const auto& [name, text] : files)
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"kernels-ada.json", "kernels-ampere.json", "kernels-blackwell.json",
                                             "kernels-h200-sxm.json", "kernels-hopper.json"}));
  EXPECT_NE(files.at("kernels-hopper.json").find("gemm.fp8.quantise_s"), std::string::npos);
  EXPECT_EQ(files.at("kernels-ampere.json").find("gemm.fp8."), std::string::npos) << "A100 has no fp8";
}

TEST(CollectivePlaces, ReadTheWordsOfTheTables) {
  CollectiveRow row;
  row.gpu = "H100-80GB SXM";
  row.gpus = 96;
  row.nodes = 12;
  row.gpus_per_node = 8;
  row.intra_node_link = "NVLink4+NVSwitch";
  row.inter_node_network = "InfiniBand NDR 8x400 Gb/s per node with SHARP";
  row.collective = "all_reduce";
  row.bytes = 1 << 20;
  std::string problem;
  const std::optional<CollectivePlace> place = place_of(row, problem);
  ASSERT_TRUE(place) << problem;
  const NodeGroup& group = place->cluster.groups.front();
  EXPECT_EQ(group.link->bandwidth.count(), 450e9);
  EXPECT_EQ(group.network->adapters, 8);
  EXPECT_NEAR(group.network->rate.count(), 50e9, 1.0);
  EXPECT_EQ(place->shape.nodes, 12);

  row.gpus = 1440;
  row.nodes = 360;
  row.gpus_per_node = 4;
  row.intra_node_link = "NVLink5 NVL72 domain (72 GPUs)";
  const std::optional<CollectivePlace> racks = place_of(row, problem);
  ASSERT_TRUE(racks) << problem;
  EXPECT_EQ(racks->shape.ranks_per_node, 72);
  EXPECT_EQ(racks->shape.nodes, 20);

  row.inter_node_network = "InfiniBand (rate not stated)";
  EXPECT_FALSE(place_of(row, problem));
  EXPECT_EQ(problem, "the rate between nodes is not stated");
  row.collective = "sendrecv";
  EXPECT_FALSE(place_of(row, problem));
  EXPECT_EQ(problem, "\"sendrecv\" is not a collective");
}

}  // namespace
}  // namespace trainwright::model::validation
