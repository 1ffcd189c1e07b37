// Reports as whole texts, so that a failure shows the difference.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/report/calibration_report.hpp"
#include "model/report/estimate_report.hpp"
#include "model/report/run_report.hpp"
#include "model/report/text_table.hpp"

namespace trainwright::model {
namespace {

using testing::HasSubstr;

Plan small_plan() {
  Plan plan;
  plan.model.id = "gpt2";
  plan.cluster.id = "dgx-a100";
  plan.job.global_batch = 16;
  plan.job.seq_len = 1024;
  plan.layout.dp = 4;
  plan.layout.pp = 2;
  plan.layout.micro_batch = 2;
  return plan;
}

Estimate small_estimate() {
  Estimate estimate;
  estimate.step = Seconds(0.4);
  estimate.step_low = Seconds(0.36);
  estimate.step_high = Seconds(0.45);
  estimate.breakdown[static_cast<std::size_t>(StepPart::compute)] = 0.3;
  estimate.breakdown[static_cast<std::size_t>(StepPart::exposed_data)] = 0.1;
  estimate.tokens_per_second = 40960.0;
  estimate.mfu = 0.41;
  estimate.hfu = 0.42;
  estimate.model_rate_per_device = FlopsPerSecond(128e12);
  estimate.bottleneck = "compute";
  StageMemory stage;
  stage.ranks = 4;
  stage.terms[static_cast<std::size_t>(MemoryTerm::weights)] = ByteCount(2'000'000'000);
  stage.terms[static_cast<std::size_t>(MemoryTerm::activations)] = ByteCount(12'340'000'000);
  stage.peak = ByteCount(14'340'000'000);
  stage.peak_phase = "backward";
  estimate.memory.stages = {stage};
  estimate.memory.peak = stage.peak;
  estimate.memory.capacity = ByteCount(80'000'000'000);
  estimate.what_ifs = {{"compute", 2.0, Seconds(0.25)}};
  estimate.advice = {
      {"raise the micro-batch to 4", "larger matrix products", Seconds(0.36), ByteCount(20'000'000'000)}};
  estimate.assumptions = {"micro-batch 1"};
  return estimate;
}

TEST(EstimateReport, IsReadFromTheVerdictDown) {
  EXPECT_EQ(
      estimate_report(small_estimate(), small_plan()),
      "fits: 14.3 of 80.0 GB, step 400 ms (90 %: 360 ms to 450 ms), MFU 41.0 %, bound by compute\n"
      "gpt2 on dgx-a100, 8 ranks: tp 1, pp 2, dp 4, micro-batch 2 x 2, global batch 16 x 1024 tokens, bf16 (analytic)\n"
      "\n"
      "  Step                        time    share\n"
      "  compute                   300 ms   75.0 %  ######################\n"
      "  exposed DP communication  100 ms   25.0 %  ########\n"
      "  -----------------------------------------------------------------\n"
      "  step                      400 ms  100.0 %\n"
      "\n"
      "  40960 tokens/s, 5120 per rank; 128 TFLOP/s per rank; MFU 41.0 %, HFU 42.0 %\n"
      "\n"
      "  Memory of a rank at its peak, GB   stage 0\n"
      "  weights                               2.00\n"
      "  activations                           12.3\n"
      "  ------------------------------------------\n"
      "  peak                                  14.3\n"
      "  of capacity                         17.9 %\n"
      "  reached in                        backward\n"
      "  ranks                                    4\n"
      "\n"
      "  If it were faster  factor    step   change\n"
      "  compute                2x  250 ms  -37.5 %\n"
      "\n"
      "  Advice\n"
      "  1. raise the micro-batch to 4: larger matrix products; step 360 ms (-10.0 %); peak memory 20.0 GB\n"
      "\n"
      "  Assumed\n"
      "  - micro-batch 1\n");
}

TEST(EstimateReport, WhatDoesNotFitIsSaidFirst) {
  Estimate estimate = small_estimate();
  estimate.memory.verdict = MemoryVerdict::does_not_fit;
  EXPECT_THAT(verdict_line(estimate), testing::StartsWith("does not fit: 14.3 of 80.0 GB"));
}

TEST(EstimateReport, LongPipelinesShowTheirEndsAndTheFullestStage) {
  Estimate estimate = small_estimate();
  estimate.memory.stages.clear();
  for (int i = 0; i < 16; ++i) {
    StageMemory stage = small_estimate().memory.stages[0];
    stage.stage = StageId(i);
    stage.peak = ByteCount(i == 7 ? 30'000'000'000 : 10'000'000'000);
    estimate.memory.stages.push_back(stage);
  }
  const std::string text = estimate_report(estimate, small_plan());
  EXPECT_THAT(text, HasSubstr("stage 0   stage 1   stage 7  stage 14  stage 15\n"));
  EXPECT_THAT(text, HasSubstr("(5 of 16 stages: the ends and the fullest; --json has all)"));
}

TEST(RunReport, ComparesMedianIntervalAndMemory) {
  ExecutedRun run;
  run.plan = small_plan();
  run.name = "dp4";
  run.modes = {"ranks share cores: 8 on 2"};
  run.step_s = {0.5, 0.4, 0.6, 0.4};
  run.peak_memory_bytes = {10'000'000'000, 14'340'000'000};
  const RunComparison comparison = compare(run, small_estimate());
  EXPECT_DOUBLE_EQ(comparison.measured.count(), 0.45);
  EXPECT_TRUE(comparison.in_interval);
  EXPECT_DOUBLE_EQ(comparison.error, 0.4 / 0.45 - 1.0);
  EXPECT_EQ(comparison_report(comparison, run),
            "as predicted: step 450 ms measured, 400 ms predicted (-11.1 %)\n"
            "\n"
            "  dp4                    predicted  measured  predicted / measured - 1\n"
            "  step, median of 4         400 ms    450 ms                   -11.1 %\n"
            "  step, lowest              360 ms    400 ms\n"
            "  step, highest             450 ms    600 ms\n"
            "  tokens/s                   40960     36410                   +12.5 %\n"
            "  peak memory of a rank    14.3 GB   14.3 GB                    +0.0 %\n"
            "  lowest and highest: the 90 % interval predicted, the extremes measured\n"
            "  - not as on a real machine: ranks share cores: 8 on 2\n");
}

TEST(RunReport, AMedianOutsideTheIntervalIsSaid) {
  ExecutedRun run;
  run.plan = small_plan();
  run.step_s = {0.9};
  EXPECT_FALSE(compare(run, small_estimate()).in_interval);
  EXPECT_THAT(comparison_report(compare(run, small_estimate()), run), testing::StartsWith("not as predicted: "));
}

TEST(CalibrationReport, ShowsBeforeAndAfterAndResiduals) {
  Calibration calibration;
  calibration.constants = {{"gemm.fp32.peak_fraction", 0.78, 0.39, "16 GEMM points, residual 3.1 %"},
                           {"host.step_s", 0.0001, 0.0386, "1 executed run"}};
  calibration.residuals = {{"run dp2", 0.2, 0.21}, {"run dp4", 0.1, 0.1}};
  const std::string text = calibration_report(calibration);
  EXPECT_THAT(text, HasSubstr("gemm.fp32.peak_fraction    0.78     0.39  -50.0 %  16 GEMM points, residual 3.1 %\n"));
  EXPECT_THAT(text, HasSubstr("host.step_s              100 us  38.6 ms    x 386  1 executed run\n"));
  EXPECT_THAT(text, HasSubstr("run dp2                     200 ms     210 ms  +5.0 %\n"));
  EXPECT_THAT(text, HasSubstr("2 residuals: median 5.0 %, largest 5.0 %"));
}

TEST(MeasurementReport, NamesBestRatesAndUnsettledPoints) {
  Measurement measurement;
  GemmPoint gemm;
  gemm.work = {1000, 1000, 1000, 1, Precision::fp32};
  gemm.time.median_s = 0.02;
  gemm.time.converged = false;
  measurement.gemm = {gemm};
  CollectivePoint small;
  small.ranks = 2;
  small.bytes = 8;
  small.time.median_s = 2e-5;
  CollectivePoint large = small;
  large.bytes = 1'000'000;
  large.time.median_s = 1e-3;
  measurement.collectives = {large, small};
  const std::string text = measurement_report(measurement);
  EXPECT_THAT(text, HasSubstr("up to 100 GFLOP/s a rank"));
  EXPECT_THAT(text, HasSubstr("all_reduce, 2 ranks       2  20 us for 8 B, 1 GB/s for 1 MB"));
  EXPECT_THAT(text, HasSubstr("1 points were still noisy"));
}

TEST(TextTable, AlignsAndLeavesNoTrailingBlanks) {
  TextTable table({"name", "n"});
  table.add_row({"a", "10"});
  table.add_rule();
  table.add_row({"long name", "1"});
  EXPECT_EQ(table.text(), "  name        n\n  a          10\n  -------------\n  long name   1\n");
}

}  // namespace
}  // namespace trainwright::model
