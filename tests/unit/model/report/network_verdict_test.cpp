// Measured networks of public threads, judged against their data sheets.
// SPDX-License-Identifier: Apache-2.0
#include "model/report/network_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NodeNetwork network(LinkKind kind, int adapters, double gigabits) {
  return {kind, adapters, BytesPerSecond(gigabits * 1e9 / 8.0), Seconds(1e-6)};
}

// https://github.com/NVIDIA/nccl-tests/issues/29: four EDR adapters, 6 GB/s.
TEST(NetworkCases, N07OneAdapterOfFourIsNamed) {
  const NetworkVerdict verdict = judge_network(network(LinkKind::infiniband, 4, 100), BytesPerSecond(6e9), 4);
  EXPECT_EQ(verdict.line, BytesPerSecond(50e9));
  EXPECT_NEAR(verdict.ratio, 0.12, 1e-9);
  EXPECT_THAT(verdict.text, HasSubstr("12 % of the 50 GB/s"));
  EXPECT_THAT(verdict.causes, ElementsAre(HasSubstr("1 of 4 adapters in use")));
}

// https://github.com/NVIDIA/nccl/issues/307
TEST(NetworkCases, N09ATreeOfTwoNodesMayShowTwiceTheNetwork) {
  const NodeNetwork edr = network(LinkKind::infiniband, 4, 100);
  const BytesPerSecond measured(58e9);
  EXPECT_TRUE(judge_network(edr, measured, 2, CollectiveAlgorithm::tree).is_plausible);
  EXPECT_TRUE(judge_network(edr, measured, 2).is_plausible) << "nobody said which algorithm it was";
  EXPECT_FALSE(judge_network(edr, measured, 2, CollectiveAlgorithm::ring).is_plausible);
  EXPECT_FALSE(judge_network(edr, measured, 3, CollectiveAlgorithm::tree).is_plausible);
}

// https://github.com/NVIDIA/nccl/issues/378
TEST(NetworkCases, N20AQuarterOfTheLineHasTwoExplanations) {
  const NetworkVerdict verdict = judge_network(network(LinkKind::roce, 4, 100), BytesPerSecond(12.5e9), 4);
  EXPECT_THAT(verdict.causes, ElementsAre(HasSubstr("1 of 4 adapters in use: NCCL_DEBUG=INFO lists"),
                                          HasSubstr("flow control or priority not set")));
  EXPECT_THAT(judge_network(network(LinkKind::roce, 1, 200), BytesPerSecond(0.5e9), 2).causes,
              Contains(HasSubstr("sockets instead of RDMA, or retries")));
  EXPECT_THAT(judge_network(network(LinkKind::infiniband, 8, 200), BytesPerSecond(110e9), 4).causes,
              Contains(HasSubstr("copies through host memory")));
}

TEST(NetworkCases, N23WhatToExpectOfAnAdapter) {
  const NetworkVerdict fast = judge_network(network(LinkKind::infiniband, 1, 400), BytesPerSecond(47e9), 2);
  EXPECT_NEAR(fast.expected_low.count(), 46e9, 1e6);
  EXPECT_NEAR(fast.expected_high.count(), 48e9, 1e6);
  EXPECT_THAT(fast.text, HasSubstr("as expected"));
  EXPECT_THAT(fast.causes, IsEmpty());
  const NetworkVerdict slow = judge_network(network(LinkKind::roce, 1, 100), BytesPerSecond(11.6e9), 2);
  EXPECT_NEAR(slow.expected_low.count(), 11.5e9, 1e6);
  EXPECT_LE(slow.expected_high.count(), 12.3e9);
  const NetworkVerdict eight = judge_network(network(LinkKind::roce, 8, 100), BytesPerSecond(75e9), 4);
  EXPECT_NEAR(eight.ratio, 0.75, 1e-9);
  EXPECT_THAT(eight.text, HasSubstr("75 % of the 100 GB/s of a node's adapters: a little low"));
}

}  // namespace
}  // namespace trainwright::model
