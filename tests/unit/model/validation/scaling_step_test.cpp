// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainwright::model::validation {
namespace {

// Two gradients of one bucket each, ready half way through the backward pass and at its end.
GradientOrder halves() {
  GradientOrder order;
  order.gradients = {{0.5, 100.0}, {1.0, 100.0}};
  return order;
}

ScalingSoftware plain() {
  ScalingSoftware software;
  software.gradient_bytes = 1.0;
  software.bucket_bytes = 100.0;
  return software;
}

BucketSeconds seconds_for_100(double seconds) {
  return [=](double bytes) { return seconds * bytes / 100.0; };
}

// Compute 3 s: forward 1, backward 2, so the buckets are ready at 2 and 3 s.
TEST(ExposedReduction, IsTheLastBucketAndWhatTheHiddenOnesTake) {
  EXPECT_DOUBLE_EQ(exposed_reduction_s(halves(), plain(), 3.0, 0.0, seconds_for_100(0.4)), 0.4);
  EXPECT_NEAR(exposed_reduction_s(halves(), plain(), 3.0, 0.5, seconds_for_100(0.4)), 0.6, 1e-12);
}

TEST(ExposedReduction, QueuesBucketsThatAreReadyEarly) {
  // The first runs from 2 to 4 s, the second from 4 to 6.
  EXPECT_DOUBLE_EQ(exposed_reduction_s(halves(), plain(), 3.0, 0.0, seconds_for_100(2.0)), 3.0);
}

TEST(ExposedReduction, IsAllOfItAfterTheBackwardPass) {
  ScalingSoftware software = plain();
  software.overlaps_backward = false;
  EXPECT_DOUBLE_EQ(exposed_reduction_s(halves(), software, 3.0, 0.5, seconds_for_100(0.4)), 0.8);
}

ScalingRow k80_row() {
  ScalingRow row;
  row.accelerator = "k80";
  row.interconnect = "K80 (one GPU of the board = 1)";
  row.gpus = 8;
  row.gpus_per_node = 8;
  return row;
}

ScalingMachine machine(const ScalingRow& row) {
  std::string problem;
  std::optional<ScalingMachine> found = machine_of(row, std::nullopt, problem);
  EXPECT_TRUE(found) << problem;
  return *found;
}

TEST(ScalingMachine, SharesRootPortsAndBoardsOfK80) {
  const ScalingMachine k80 = machine(k80_row());
  EXPECT_EQ(k80.port_sharers(1), 1);
  EXPECT_EQ(k80.port_sharers(2), 2);
  EXPECT_EQ(k80.port_sharers(8), 4);
  EXPECT_DOUBLE_EQ(k80.crowding(1), 1.0);
  EXPECT_GT(k80.crowding(2), 1.0);
}

// 1 GB over host memory at 5 GB/s: a ring of two sends 1 GB, a ring of eight 1.75 GB.
TEST(ScalingMachine, TakesTheHostWhereTheLinkIsNotStated) {
  ScalingRow row;
  row.accelerator = "v100-sxm-16gb";
  row.interconnect = "not stated";
  row.gpus = row.gpus_per_node.emplace(8);
  const ScalingMachine cloud = machine(row);
  EXPECT_NEAR(cloud.all_reduce(1e9, 2).count(), 0.2, 0.002);
  EXPECT_NEAR(cloud.all_reduce(1e9, 8).count(), 0.35, 0.004);
  EXPECT_DOUBLE_EQ(cloud.all_reduce(1e9, 1).count(), 0.0);
}

TEST(ScalingMachine, TakesTheHostWhereABenchmarkForbidsPeers) {
  ScalingRow row;
  row.id.url = "https://github.com/lambdal/deeplearning-benchmark/blob/master/pytorch/x.csv";
  row.accelerator = "a100-sxm-80gb";
  row.interconnect = "NVLink/NVSwitch (SXM)";
  row.gpus = row.gpus_per_node.emplace(8);
  EXPECT_NEAR(machine(row).all_reduce(1e9, 8).count(), 0.35, 0.004);
  row.id.url.clear();
  EXPECT_LT(machine(row).all_reduce(1e9, 8).count(), 0.01);
}

// Two V100 of a DGX-1 have one link of 25 GB/s between them, four have four links each, eight all six.
TEST(ScalingMachine, UsesTheLinksOfTheMeshThatLeadToTheGroup) {
  ScalingRow row;
  row.accelerator = "v100-sxm-16gb";
  row.interconnect = "V100-16GB (DGX-1)";
  row.gpus = row.gpus_per_node.emplace(8);
  const ScalingMachine dgx = machine(row);
  EXPECT_NEAR(dgx.all_reduce(1e9, 2).count(), 1.0 / (0.86 * 25.0), 0.002);
  EXPECT_NEAR(dgx.all_reduce(1e9, 4).count(), 1.5 / (0.86 * 100.0), 0.001);
  EXPECT_NEAR(dgx.all_reduce(1e9, 8).count(), 1.75 / (0.86 * 150.0), 0.001);
}

// 100 MB at 10 GB/s are 10 ms for one device; four share a port.
TEST(ScaledStep, ReadsVariablesOverTheSharedPort) {
  ScalingSoftware software = plain();
  software.exchange = GradientExchange::host;
  const GradientOrder order = even_gradient_order(100e6);
  const ScalingMachine k80 = machine(k80_row());
  EXPECT_NEAR(scaled_step_s(order, software, k80, 1, 1.0), 1.01, 1e-9);
  const double slowest = 1.0 + 0.01 * std::sqrt(2.0 * std::log(8.0));
  EXPECT_NEAR(scaled_step_s(order, software, k80, 8, 1.0), slowest * (1.03 + 0.04), 1e-9);
}

TEST(ScaledStep, IsComputeAloneWhereNothingIsSummed) {
  ScalingSoftware software = plain();
  software.exchange = GradientExchange::none;
  ScalingRow row = k80_row();
  row.accelerator = "v100-sxm-16gb";
  EXPECT_DOUBLE_EQ(scaled_step_s(halves(), software, machine(row), 8, 1.0), 1.0);
}

TEST(ComputeOfStep, IsTheInverseOfTheStep) {
  const GradientOrder order = *gradient_order_named("VGG16");
  ScalingSoftware software;
  software.exchange = GradientExchange::host;
  const ScalingMachine k80 = machine(k80_row());
  for (const std::int64_t devices : {1, 2, 8})
    EXPECT_NEAR(compute_of_step_s(order, software, k80, devices, scaled_step_s(order, software, k80, devices, 0.9)),
                0.9, 1e-9);
}

}  // namespace
}  // namespace trainwright::model::validation
