// Routes are paths of the graph, and carry what the cluster says.
// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/topology.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/hardware/bisection.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

std::string names(const Topology& topology, int from, int to) {
  std::string text;
  for (const LinkId link : topology.route(DeviceId(from), DeviceId(to)))
    text += (text.empty() ? "" : ", ") + topology.link_name(link);
  return text;
}

Topology topology_of(const Cluster& cluster) {
  return Topology(cluster, data_sheet_rates(cluster));
}

BytesPerSecond bisection_of(const Cluster& cluster) {
  return bisection_bandwidth(topology_of(cluster), cluster);
}

// One of each kind of fabric.
std::vector<Cluster> clusters() {
  std::vector<Cluster> all;
  for (const FabricKind fabric : {FabricKind::full_bisection, FabricKind::leaf_spine, FabricKind::rail_optimized,
                                  FabricKind::dragonfly, FabricKind::torus})
    for (const int adapters : {1, 2, 4}) {
      Cluster cluster = test::switched_cluster(6, 2);
      cluster.groups.front().network->adapters = adapters;
      cluster.fabric = {fabric, 2, 2.0};
      all.push_back(cluster);
    }
  return all;
}

TEST(Topology, InsideANodeARouteIsTwoPorts) {
  EXPECT_EQ(names(topology_of(test::switched_cluster(2)), 1, 6), "node 0 device 1 up, node 0 device 6 down");
}

TEST(Topology, BetweenNodesEachDeviceHasItsAdapter) {
  EXPECT_EQ(names(topology_of(test::switched_cluster(2)), 1, 14), "node 0 lane 1 up, node 1 lane 6 down");
}

TEST(Topology, FewAdaptersAreSharedByTheDevicesOfANode) {
  Cluster cluster = test::switched_cluster(2);
  cluster.groups.front().network->adapters = 2;
  const Topology topology = topology_of(cluster);
  EXPECT_EQ(names(topology, 1, 14), "node 0 lane 1 up, node 0 adapters up, node 1 adapters down, node 1 lane 6 down");
  const std::vector<LinkId> route = topology.route(DeviceId(1), DeviceId(14));
  EXPECT_EQ(topology.link(route[0]).bandwidth, BytesPerSecond(25e9));
  EXPECT_EQ(topology.link(route[1]).bandwidth, BytesPerSecond(50e9));
}

TEST(Topology, OnlyTrafficBetweenLeavesUsesTheSpine) {
  Cluster cluster = test::switched_cluster(4, 1);
  cluster.fabric = {FabricKind::leaf_spine, 2, 2.0};
  const Topology topology = topology_of(cluster);
  EXPECT_EQ(names(topology, 0, 1), "node 0 lane 0 up, node 1 lane 0 down");
  EXPECT_EQ(names(topology, 0, 3), "node 0 lane 0 up, leaf 0 up, leaf 1 down, node 3 lane 0 down");
  // Two nodes of 25 GB/s, oversubscribed by two.
  EXPECT_EQ(topology.link(topology.route(DeviceId(0), DeviceId(3))[1]).bandwidth, BytesPerSecond(25e9));
}

TEST(Topology, ARailConnectsTheSameDeviceOfEachNode) {
  Cluster cluster = test::switched_cluster(2, 2);
  cluster.fabric = {FabricKind::rail_optimized, 2, 1.0};
  const Topology topology = topology_of(cluster);
  EXPECT_EQ(names(topology, 0, 2), "node 0 lane 0 up, node 1 lane 0 down");
  EXPECT_EQ(names(topology, 0, 3), "node 0 lane 0 up, leaf 0 up, leaf 1 down, node 1 lane 1 down");
  EXPECT_FALSE(topology.link(topology.route(DeviceId(0), DeviceId(3))[1]).can_bind);
}

TEST(Topology, ADeviceReachesItselfThroughTheLoopback) {
  EXPECT_EQ(names(topology_of(test::shared_core_node(4)), 2, 2), "node 0 loopback");
}

// Vertices that a route visits must be joined: cables, which bind nobody, are left out of routes.
TEST(Topology, RoutesStartAndEndAtTheirDevices) {
  for (const Cluster& cluster : clusters()) {
    const Topology topology = topology_of(cluster);
    for (int a = 0; a < device_count(cluster); ++a)
      for (int b = 0; b < device_count(cluster); ++b) {
        if (a == b)
          continue;
        const std::vector<LinkId> route = topology.route(DeviceId(a), DeviceId(b));
        ASSERT_FALSE(route.empty());
        EXPECT_EQ(topology.link(route.front()).from, topology.vertex(DeviceId(a)));
        EXPECT_EQ(topology.link(route.back()).to, topology.vertex(DeviceId(b)));
        for (std::size_t i = 0; i < route.size(); ++i)
          for (std::size_t j = i + 1; j < route.size(); ++j)
            EXPECT_NE(route[i], route[j]);
      }
  }
}

TEST(Topology, TorusGoesTheShorterWayRound) {
  Cluster cluster = test::switched_cluster(5, 1);
  cluster.fabric.kind = FabricKind::torus;
  const Topology topology = topology_of(cluster);
  EXPECT_EQ(names(topology, 0, 2), "node 0 lane 0 up, node 0 hop 2 up, node 1 hop 2 up, node 2 lane 0 down");
  EXPECT_EQ(names(topology, 0, 4), "node 0 lane 0 up, node 4 hop 2 down, node 4 lane 0 down");
}

TEST(Topology, BisectionIsWhatTheNarrowestPlaceCarries) {
  Cluster cluster = test::switched_cluster(4, 1);
  EXPECT_EQ(bisection_of(cluster), BytesPerSecond(2 * 25e9));
  cluster.fabric = {FabricKind::leaf_spine, 2, 4.0};
  EXPECT_EQ(bisection_of(cluster), BytesPerSecond(2 * 25e9 / 4));
  EXPECT_EQ(bisection_of(test::switched_cluster(1)), BytesPerSecond(0));
}

TEST(Topology, LinkNamesAreUnique) {
  for (const Cluster& cluster : clusters()) {
    const Topology topology = topology_of(cluster);
    std::set<std::string> seen;
    for (std::size_t l = 0; l < topology.link_count(); ++l)
      EXPECT_TRUE(seen.insert(topology.link_name(LinkId(l))).second) << topology.link_name(LinkId(l));
  }
}

TEST(Topology, SixteenThousandDevicesAreBuiltAndRoutedQuickly) {
  const Topology topology = topology_of(test::switched_cluster(2048));
  EXPECT_EQ(names(topology, 0, 16383), "node 0 lane 0 up, node 2047 lane 7 down");
}

}  // namespace
}  // namespace trainwright::model
