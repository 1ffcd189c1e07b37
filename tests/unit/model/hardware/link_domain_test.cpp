// Link domains larger than a node: 72 devices on trays of four behind one switch.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/collective/collective_cost.hpp"
#include "model/hardware/topology.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

// Trays of four devices with four adapters; `domain` devices share one switch.
Cluster trays(int nodes, int domain) {
  Cluster cluster = test::switched_cluster(nodes, 4);
  cluster.groups.front().network->adapters = 4;
  cluster.groups.front().link->domain_devices = domain;
  return cluster;
}

std::string names(const Cluster& cluster, int from, int to) {
  const Topology topology(cluster, data_sheet_rates(cluster));
  std::string text;
  for (const LinkId link : topology.route(DeviceId(from), DeviceId(to)))
    text += (text.empty() ? "" : ", ") + topology.link_name(link);
  return text;
}

GroupShape shape_of(const Cluster& cluster, const Layout& layout, GroupAxis axis) {
  return group_shape(Placement(layout, cluster), cluster, axis, RankId(0));
}

Layout layout(int dp, int tp) {
  Layout result;
  result.dp = dp;
  result.tp = tp;
  return result;
}

TEST(LinkDomain, IsTheNodeUnlessTheLinkSaysMore) {
  const Cluster plain = trays(4, 0);
  EXPECT_EQ(nodes_per_domain(plain.groups.front()), 1);
  EXPECT_EQ(link_domain_of(plain, DeviceId(3)), LinkDomainId(0));
  EXPECT_EQ(link_domain_of(plain, DeviceId(4)), LinkDomainId(1));
  const Cluster racks = trays(40, 72);
  EXPECT_EQ(nodes_per_domain(racks.groups.front()), 18);
  EXPECT_EQ(link_domain_of(racks, DeviceId(71)), LinkDomainId(0));
  EXPECT_EQ(link_domain_of(racks, DeviceId(72)), LinkDomainId(1));
  EXPECT_EQ(link_domain_of(racks, DeviceId(159)), LinkDomainId(2)) << "the last domain is not full";
}

TEST(LinkDomain, EndsWithItsGroup) {
  Cluster cluster = trays(3, 8);
  cluster.groups.push_back(cluster.groups.front());
  EXPECT_EQ(link_domain_of(cluster, DeviceId(11)), LinkDomainId(1));
  EXPECT_EQ(link_domain_of(cluster, DeviceId(12)), LinkDomainId(2));
}

TEST(LinkDomain, TrafficBetweenItsTraysStaysOnTheSwitch) {
  const Cluster racks = trays(4, 8);
  EXPECT_EQ(names(racks, 1, 6), "node 0 device 1 up, node 1 device 2 down");
  EXPECT_EQ(names(racks, 1, 10), "node 0 lane 1 up, node 2 lane 2 down");
  EXPECT_EQ(names(trays(4, 0), 1, 6), "node 0 lane 1 up, node 1 lane 2 down");
}

TEST(LinkDomain, DevicesOfOneDeviceNodesHavePortsToo) {
  Cluster cluster = test::switched_cluster(4, 1);
  cluster.groups.front().link = NodeLink{LinkKind::nvlink_switch, BytesPerSecond(450e9), 2};
  EXPECT_EQ(names(cluster, 0, 1), "node 0 device 0 up, node 1 device 0 down");
}

TEST(LinkDomain, GroupsInsideItUseNoNetwork) {
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::tensor, ByteCount(1L << 28), Precision::bf16};
  const CostConstants constants = test::plain_constants();
  const Cluster rack = trays(4, 16);
  const GroupShape inside = shape_of(rack, layout(2, 8), GroupAxis::tensor);
  EXPECT_EQ(inside.nodes, 1);
  EXPECT_EQ(inside.ranks_per_node, 8);
  // One big node of the same devices costs the same.
  const Cluster node = test::switched_cluster(1, 16);
  EXPECT_EQ(collective_duration(work, inside, rack, constants),
            collective_duration(work, shape_of(node, layout(2, 8), GroupAxis::tensor), node, constants));
  const Cluster apart = trays(4, 0);
  EXPECT_GT(collective_duration(work, shape_of(apart, layout(2, 8), GroupAxis::tensor), apart, constants),
            collective_duration(work, inside, rack, constants));
}

TEST(LinkDomain, GroupsAcrossDomainsShareTheAdaptersOfAllItsTrays) {
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::data, ByteCount(1L << 28), Precision::bf16};
  const CostConstants constants = test::plain_constants();
  const Cluster racks = trays(4, 8);
  const GroupShape shape = shape_of(racks, layout(2, 8), GroupAxis::data);
  EXPECT_EQ(shape.nodes, 2);
  EXPECT_EQ(shape.ranks_per_node, 1);
  EXPECT_EQ(shape.sharing_groups_per_node, 8);
  // Each of eight groups has an adapter for itself, as in nodes of eight with an adapter each.
  const Cluster nodes = test::switched_cluster(2, 8);
  EXPECT_EQ(collective_duration(work, shape, racks, constants),
            collective_duration(work, shape_of(nodes, layout(2, 8), GroupAxis::data), nodes, constants));
}

TEST(MeasuredRate, CapsWhatDataSheetAndEfficiencyPromise) {
  Cluster cluster = test::switched_cluster(2);
  NodeGroup& group = cluster.groups.front();
  const CostConstants constants = test::plain_constants();
  const BytesPerSecond promised = effective_adapter_bandwidth(group, constants);
  group.network->measured_rate = promised * 0.25;
  EXPECT_EQ(effective_adapter_bandwidth(group, constants), promised * 0.25);
  group.network->measured_rate = promised * 2.0;
  EXPECT_EQ(effective_adapter_bandwidth(group, constants), promised);
}

}  // namespace
}  // namespace trainwright::model
