// Bandwidth conventions and expectations; names carry the cases they come from.
// SPDX-License-Identifier: Apache-2.0
#include "model/collective/bus_bandwidth.hpp"

#include <gtest/gtest.h>

#include "model/estimate/scaling_efficiency.hpp"
#include "model/units/parse.hpp"

namespace trainwright::model {
namespace {

NodeNetwork adapters(int count, const char* rate) {
  NodeNetwork network;
  network.adapters = count;
  network.rate = *parse_bytes_per_second(rate).value;
  return network;
}

// https://github.com/NVIDIA/nccl/issues/1531: 64 ranks, 8 MiB in 337.8 us.
TEST(NetworkCases, N21BandwidthFactors) {
  const double algorithm = 8.0 * 1024 * 1024 / 337.8e-6 / 1e9;
  EXPECT_NEAR(algorithm, 24.83, 0.005);
  EXPECT_NEAR(24.83 * bus_bandwidth_factor(CollectiveKind::all_to_all, 64), 24.44, 0.005);
  EXPECT_EQ(bus_bandwidth_factor(CollectiveKind::all_reduce, 16), 1.875);
  EXPECT_EQ(bus_bandwidth_factor(CollectiveKind::all_reduce, 8), 1.75);
  EXPECT_EQ(bus_bandwidth_factor(CollectiveKind::all_gather, 8), 0.875);
  EXPECT_EQ(bus_bandwidth_factor(CollectiveKind::reduce_scatter, 8), 0.875);
  EXPECT_EQ(bus_bandwidth_factor(CollectiveKind::broadcast, 8), 1.0);
}

// https://github.com/NVIDIA/nccl-tests/issues/290, https://github.com/NVIDIA/nccl/issues/652 and 495.
TEST(NetworkCases, N23WhatToExpectPerAdapter) {
  const BusBandwidthRange fast = expected_bus_bandwidth(adapters(1, "400 Gbit/s"));
  EXPECT_NEAR(fast.low.count(), 46e9, 0.05e9);
  EXPECT_NEAR(fast.high.count(), 48e9, 0.05e9);
  const BusBandwidthRange slow = expected_bus_bandwidth(adapters(1, "100 Gbit/s"));
  EXPECT_NEAR(slow.low.count(), 11.5e9, 0.05e9);
  EXPECT_NEAR(slow.high.count(), 12.3e9, 0.05e9);
}

// https://github.com/NVIDIA/nccl/issues/318: 36 minutes on one node, 105 on two.
TEST(ScalingCases, S01NegativeScaling) {
  const double up = speed_up({8, 1.0 / 36.0}, {16, 1.0 / 105.0});
  EXPECT_NEAR(up, 0.34, 0.005);
  EXPECT_LT(up, 1.0);
  EXPECT_EQ(best_point({{8, 1.0 / 36.0}, {16, 1.0 / 105.0}}), 0U);
}

// https://github.com/mlfoundations/open_clip/issues/466: 30, 10 and 5 samples a second per device on 1, 2, 3 nodes
// of 8.
TEST(ScalingCases, S02WeakEfficiencyAndTheBestSize) {
  const std::vector<ScalingPoint> points{{8, 240.0}, {16, 160.0}, {24, 120.0}};
  EXPECT_NEAR(scaling_efficiency(points[0], points[1]), 0.33, 0.005);
  EXPECT_NEAR(scaling_efficiency(points[0], points[2]), 0.17, 0.005);
  EXPECT_EQ(best_point(points), 0U);
}

// https://github.com/facebookresearch/fairseq/issues/789: 38 to 10 thousand words a second from 4 to 8 devices.
TEST(ScalingCases, S03WordsPerSecond) {
  EXPECT_NEAR(speed_up({4, 38e3}, {8, 10e3}), 0.26, 0.005);
  EXPECT_NEAR(scaling_efficiency({4, 38e3}, {8, 10e3}), 0.13, 0.005);
}

// https://github.com/huggingface/transformers/issues/9371: the same steps in 102 s on one card, 101 s and 131 s on two.
TEST(ScalingCases, S15WithAndWithoutABridge) {
  const ScalingPoint one{1, 1.0 / 102.0};
  EXPECT_NEAR(scaling_efficiency(one, {2, 2.0 / 101.0}), 1.01, 0.001);
  EXPECT_NEAR(scaling_efficiency(one, {2, 2.0 / 131.0}), 0.78, 0.002);
}

// https://github.com/mlnomadpy/flaxchat/issues/21: 2.03 M tokens a second on one device, 1.56 M on eight.
TEST(ScalingCases, S16StrongScalingOfAToyModel) {
  EXPECT_NEAR(scaling_efficiency({1, 2.03e6}, {8, 1.56e6}), 0.096, 0.0005);
  EXPECT_EQ(best_point({{1, 2.03e6}, {8, 1.56e6}}), 0U);
}

// https://github.com/NVIDIA/DeepLearningExamples/issues/894: a fixed global batch of 131,072.
TEST(ScalingCases, S17StrongIsNotWeak) {
  const ScalingKind fixed = scaling_kind(1, 131072, 8, 131072);
  EXPECT_TRUE(fixed.known);
  EXPECT_EQ(fixed.kind, Scaling::strong);
  EXPECT_EQ(131072 / 8, 16384);
  EXPECT_EQ(scaling_kind(1, 256, 8, 2048).kind, Scaling::weak);
  EXPECT_FALSE(scaling_kind(1, 256, 8, 1024).known);
}

// https://github.com/DifferentiableUniverseInitiative/jaxDecomp/issues/83: weak means equal work to 0.1 %.
TEST(ScalingCases, S18WeakMeansTheSameWorkPerDevice) {
  EXPECT_EQ(scaling_kind(8, 8000, 16, 16001).kind, Scaling::weak);
  EXPECT_TRUE(scaling_kind(8, 8000, 16, 16001).known);
  EXPECT_FALSE(scaling_kind(8, 8000, 16, 16100).known);
}

}  // namespace
}  // namespace trainwright::model
