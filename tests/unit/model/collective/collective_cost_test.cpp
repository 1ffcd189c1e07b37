// Collectives against hand calculation and published measurements.
// SPDX-License-Identifier: Apache-2.0
#include "model/collective/collective_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/io/load.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

constexpr double kMicro = 1e-6;

CollectiveWork work(CollectiveKind kind, double bytes) {
  return {kind, GroupAxis::data, ByteCount(static_cast<std::int64_t>(bytes)), Precision::bf16};
}

GroupShape shape(int nodes, int ranks_per_node) {
  GroupShape s;
  s.nodes = nodes;
  s.ranks_per_node = ranks_per_node;
  s.ranks = nodes * ranks_per_node;
  return s;
}

// Nodes of a 100 GB/s link that reaches 80 %, adapters of 10 GB/s that reach 100 %.
struct Bench {
  Cluster cluster = test::switched_cluster(4);
  CostConstants constants;

  Bench() {
    NodeGroup& group = cluster.groups.front();
    group.link->bandwidth = BytesPerSecond(100e9);
    group.network->adapters = 8;
    group.network->rate = BytesPerSecond(10e9);
    group.network->latency = Seconds(0.0);
    CollectiveConstants& l = constants.node_link;
    l.base_s = 5 * kMicro;
    l.step_s = 1 * kMicro;
    l.efficiency = 0.8;
    l.knee_s = 0.0;
    l.copy_ratio = 2.0;
    l.all_to_all_s = 3 * kMicro;
    l.all_to_all_copy_ratio = 4.0;
    CollectiveConstants& w = constants.network;
    w.base_s = 10 * kMicro;
    w.step_s = 4 * kMicro;
    w.efficiency = 1.0;
    w.knee_s = 0.0;
  }
  [[nodiscard]] double us(CollectiveKind kind, double bytes, const GroupShape& s) const {
    return collective_duration(work(kind, bytes), s, cluster, constants).count() / kMicro;
  }
};

TEST(CollectiveTime, OfARingInANodeByHand) {
  const Bench b;
  // 14 steps of 1 us after 5; 1.75 x 8 MB at 80 GB/s.
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(1, 8)), 5 + 14 + 175, 1e-6);
  // 7 steps; 0.875 x 8 MB; and 1 MB copied at 160 GB/s.
  EXPECT_NEAR(b.us(CollectiveKind::all_gather, 8e6, shape(1, 8)), 5 + 7 + 87.5 + 6.25, 1e-6);
  EXPECT_NEAR(b.us(CollectiveKind::reduce_scatter, 8e6, shape(1, 8)), 5 + 7 + 87.5 + 6.25, 1e-6);
  // 3 us instead of steps; 1 MB copied at 320 GB/s.
  EXPECT_NEAR(b.us(CollectiveKind::all_to_all, 8e6, shape(1, 8)), 5 + 3 + 87.5 + 3.125, 1e-6);
  EXPECT_EQ(b.us(CollectiveKind::all_reduce, 8e6, shape(1, 1)), 0.0);
}

TEST(CollectiveTime, LargeMessagesPayForTheirProtocol) {
  Bench b;
  CollectiveConstants& l = b.constants.node_link;
  l.bulk_bytes = 1e6;  // 8 MB for 8 ranks
  l.bulk_s = 7 * kMicro;
  l.bulk_step_s = 2 * kMicro;
  l.small_bandwidth_ratio = 0.5;
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(1, 8)), 5 + 14 + 175 + 7 + 28, 1e-6);
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 4e6, shape(1, 8)), 5 + 14 + 2 * 87.5, 1e-6);
  EXPECT_NEAR(b.us(CollectiveKind::all_gather, 4e6, shape(1, 8)), 5 + 7 + 2 * 43.75, 1e-6) << "without the copy";
  l.bulk_rank_power = 0.0;  // 1 MB for any number of ranks
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 4e6, shape(1, 8)), 5 + 14 + 87.5 + 7 + 28, 1e-6);
}

TEST(CollectiveTime, BandwidthOfATreeOfBridgesFallsWithTheDevices) {
  Bench b;
  b.constants.node_link.crowding = 1.0;
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(1, 2)), 5 + 2 + 100, 1e-6);
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(1, 8)), 5 + 14 + 4 * 175, 1e-6);
}

// One rack of GB200, 72 devices in one switch: 537 MB in 1,806.7 us, 2.1 GB in 5,589.1, 8.6 GB in 20,299 us
// (stas00/ml-engineering, network/benchmarks/README.md at 744d01e18b: CoreWeave GB200 NVL72, single rack).
TEST(CollectiveTime, OfARackReducedInItsSwitch) {
  Cluster rack = test::switched_cluster(1, 72);
  rack.groups.front().link->bandwidth = BytesPerSecond(900e9);
  CostConstants constants;
  constants.node_link.in_switch_efficiency = 0.484;
  constants.node_link.in_switch_latency_s = 18 * kMicro;
  constants.node_link.in_switch_rank_s = 8.25 * kMicro;
  for (const auto& [bytes, measured] :
       {std::pair{536870912.0, 1806.7}, {2147483648.0, 5589.1}, {8589934592.0, 20299.0}}) {
    const double us =
        collective_duration(work(CollectiveKind::all_reduce, bytes), shape(1, 72), rack, constants).count() / kMicro;
    EXPECT_NEAR(us / measured, 1.0, 0.06) << bytes;
  }
}

TEST(CollectiveTime, BetweenNodesByHand) {
  const Bench b;
  // Two nodes: a tree, 14 us in the nodes and 8 between them after 10; 8 MB over eight adapters.
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(2, 8)), 10 + 14 + 8 + 187.5, 1e-6)
      << "the ring inside the nodes is slower than the network: 1.875 x 8 MB at 80 GB/s";
  // One device in each of four nodes: ring of 6 hops, or tree of 4 that loses bandwidth; 1.5 x 8 MB at 10 GB/s.
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e6, shape(4, 1)), 10 + 24 + 1200, 1e-6);
  EXPECT_NEAR(b.us(CollectiveKind::all_reduce, 8e3, shape(64, 1)), 10 + 2 * 6 * 4 + 2 * (2.0 * 63 / 64) * 0.8, 1e-6)
      << "small messages take the tree";
  EXPECT_NEAR(b.us(CollectiveKind::all_gather, 8e6, shape(4, 1)), 10 + 12 + 600, 1e-6);
}

TEST(CollectiveTime, AStatedLatencyOfTheNetworkCounts) {
  Bench b;
  b.cluster.groups.front().network->latency = Seconds(1e-3);
  EXPECT_NEAR(b.us(CollectiveKind::all_gather, 8e6, shape(4, 1)), 10 + 3000 + 600, 1e-6);
  EXPECT_NEAR(transfer_duration(Bytes(0.0), false, 1, b.cluster, b.constants).count(), 1e-3, 1e-12);
  EXPECT_LT(transfer_duration(Bytes(0.0), true, 1, b.cluster, b.constants).count(), 1e-4);
}

// 1,440 GB200 in 20 racks: a straight line through 0.5 to 17 GB begins at 4,674 us (same source as above).
TEST(CollectiveTime, LatencyOfALongRing) {
  Cluster racks = test::switched_cluster(20, 72);
  NodeGroup& group = racks.groups.front();
  group.link->bandwidth = BytesPerSecond(900e9);
  group.network->adapters = 72;
  group.network->rate = BytesPerSecond(50e9);
  CostConstants constants;
  constants.node_link.step_s = 1.3 * kMicro;
  constants.network.knee_s = 0.0;
  constants.network.step_s = 5 * kMicro;
  const auto us = [&](double bytes) {
    return collective_duration(work(CollectiveKind::all_reduce, bytes), shape(20, 72), racks, constants).count() /
           kMicro;
  };
  const double slope = (us(16e9) - us(8e9)) / 8e9;
  const double intercept = us(8e9) - slope * 8e9;
  EXPECT_NEAR(intercept / 4674.0, 1.0, 0.2);
}

// https://github.com/NVIDIA/nccl/issues/209: NCCL over TCP reaches at most about 60 % of 32 Gbit/s.
TEST(NetworkCases, N13TcpReachesAFractionOfTheWire) {
  Cluster cluster = test::switched_cluster(2);
  NodeGroup& group = cluster.groups.front();
  group.network->kind = LinkKind::ethernet_tcp;
  group.network->adapters = 1;
  group.network->rate = BytesPerSecond(4e9);
  const CostConstants constants = shipped_constants(cluster);
  EXPECT_LE(effective_adapter_bandwidth(group, constants).count(), 2.4e9);
  EXPECT_GT(effective_adapter_bandwidth(group, constants).count(), 2.0e9);
  group.network->rate = BytesPerSecond(1.25e9);
  EXPECT_GT(effective_adapter_bandwidth(group, constants).count(), 1.0e9) << "slow wires are used well";
}

// What the simulator sends through the topology takes as long as the closed form says.
TEST(CollectiveTime, FlowsTakeWhatTheClosedFormSays) {
  Bench b;
  b.constants.node_link.bulk_bytes = 1e5;
  b.constants.node_link.bulk_s = 7 * kMicro;
  Layout layout;
  layout.dp = 8;
  const Placement placement(layout, b.cluster);
  for (const CollectiveKind kind :
       {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
    const CollectiveWork w = work(kind, 8e6);
    const FlowPlan plan =
        collective_flows(w, placement.group(RankId(0), GroupAxis::data), placement, b.cluster, b.constants);
    ASSERT_FALSE(plan.flows.empty());
    const double longest = plan.flows.front().bytes.count() / 80e9;
    EXPECT_NEAR((plan.latency.count() + longest) / kMicro, b.us(kind, 8e6, shape(1, 8)), 1e-6) << to_word(kind);
  }
}

}  // namespace
}  // namespace trainwright::model
