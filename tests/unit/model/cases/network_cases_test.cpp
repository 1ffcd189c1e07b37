// Network, NCCL's log and the launch environment: one test for each published case, named after it. docs/cases.md lists
// them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/collective/plausibility.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "model/hardware/ecmp.hpp"
#include "model/hardware/ring_load.hpp"
#include "model/io/importers/run_log.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/report/launch_environment.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> topics(const std::vector<LogFinding>& findings) {
  std::vector<std::string> list;
  for (const LogFinding& finding : findings)
    list.push_back(finding.topic);
  return list;
}

Plan two_nodes() {
  Layout layout;
  layout.dp = 16;
  return test::small_plan(layout, 1);
}

std::optional<Violation> of_rule(const Plan& plan, const std::string& rule) {
  for (const Violation& violation : check_advice_rules({plan.model, plan.cluster, plan.job, plan.layout}))
    if (violation.rule == rule)
      return violation;
  return std::nullopt;
}

TEST(NetworkCases, N01_SocketsWhereThePlanAssumedRdma) {
  const RunLog log = read_run_log(
      "# one line per report\n"
      "NODE:0:0 [0] NCCL INFO NET/Socket : Using [0]bond0:192.0.2.2<0>\n"
      "NODE:0:0 [0] NCCL INFO NET/IB : No device found.\n"
      "NODE:0:0 [0] NCCL INFO Using network Socket\n");
  EXPECT_EQ(log.transport, "socket");
  EXPECT_THAT(topics(log.findings), testing::Each("transport"));
  const auto found = contradictions(log, two_nodes().cluster);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found.front().text, HasSubstr("plan assumed RDMA"));
  EXPECT_NEAR(0.370 / 0.050, 7.4, 1e-9);
  // Ethernet was planned: nothing is contradicted.
  Cluster ethernet = two_nodes().cluster;
  ethernet.groups.front().network->kind = LinkKind::ethernet_tcp;
  EXPECT_THAT(contradictions(log, ethernet), IsEmpty());
}

TEST(NetworkCases, N02_ThePluginFellBackToTcpAndTheBootstrapToLoopback) {
  const RunLog log = read_run_log(
      "NODE:0:0 [0] NCCL INFO NET/OFI Selected Provider is tcp (found 1 nics)\n"
      "NODE:0:0 [0] NCCL INFO Bootstrap : Using lo:127.0.0.1<0>\n");
  EXPECT_THAT(topics(log.findings), testing::ElementsAre("provider", "bootstrap"));
  EXPECT_EQ(log.adapters, 1);
  Cluster four = two_nodes().cluster;
  four.groups.front().network->adapters = 4;
  std::vector<std::string> texts;
  for (const LogFinding& finding : contradictions(log, four))
    texts.push_back(finding.text);
  EXPECT_THAT(texts, testing::Contains("1 of 4 adapters in use"));
}

TEST(NetworkCases, N03_ExcludingOneBridgeLeavesLoopback) {
  LaunchEnvironment environment;
  environment.variables["NCCL_SOCKET_IFNAME"] = "^docker0";
  environment.interfaces = {"lo", "docker0", "eth0"};
  const Diagnostics problems = check_environment(environment, two_nodes());
  ASSERT_EQ(problems.list().size(), 1U);
  const Diagnostic& warning = problems.list().front();
  EXPECT_EQ(warning.severity, Severity::warning);
  EXPECT_THAT(warning.message, HasSubstr("leaves lo"));
  EXPECT_EQ(warning.hint, "\"^docker0,lo\" or \"eth0\"");
  for (const char* good : {"^docker0,lo", "eth0", "eth"}) {
    environment.variables["NCCL_SOCKET_IFNAME"] = good;
    EXPECT_TRUE(check_environment(environment, two_nodes()).empty()) << good;
  }
}

TEST(NetworkCases, N14_SharedMemoryBetweenDevicesContradictsNvlink) {
  const RunLog log = read_run_log("NODE:0:0 [0] NCCL INFO Ring 00 : 0[3d000] -> 1[3e000] via direct shared memory\n");
  const auto found = contradictions(log, two_nodes().cluster);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found.front().text, HasSubstr("plan assumed NVLink"));
  const RunLog peer = read_run_log("NODE:0:0 [0] NCCL INFO Channel 00/1 : 0[0] -> 2[2] via P2P/CUMEM\n");
  EXPECT_THAT(contradictions(peer, two_nodes().cluster), IsEmpty());
}

TEST(NetworkCases, N17_PathsOverPcieAreUncalibratedAndHaveAnInterval) {
  Layout layout;
  layout.dp = 8;
  Plan plan = test::small_plan(layout, 1);
  const auto says = [](const Estimate& e) {
    return std::any_of(e.assumptions.begin(), e.assumptions.end(),
                       [](const std::string& line) { return line.find("uncalibrated, PCIe") != std::string::npos; });
  };
  EXPECT_FALSE(says(*AnalyticEstimator().estimate(plan, {}, {})));
  plan.cluster.groups.front().link = NodeLink{LinkKind::pcie, BytesPerSecond(31.5e9)};
  const Estimate e = *AnalyticEstimator().estimate(plan, {}, {});
  EXPECT_TRUE(says(e));
  EXPECT_LT(e.step_low, e.step);
  EXPECT_GT(e.step_high, e.step);
}

TEST(NetworkCases, N19_TheUplinkBetweenRacksIsTheBottleneckOfThreeNodesOnly) {
  const auto slowest = [](int nodes) {
    Cluster cluster = test::switched_cluster(nodes);
    cluster.fabric = {FabricKind::leaf_spine, 2, 2.0};
    const Topology topology(cluster, data_sheet_rates(cluster));
    const std::vector<RingLink> load = ring_load(topology, cluster);
    return topology.link(load.front().link).kind;
  };
  EXPECT_NE(slowest(2), WireKind::leaf_uplink);
  EXPECT_EQ(slowest(3), WireKind::leaf_uplink);
}

TEST(NetworkCases, N24_AnAllToAllAcrossRailsIsReported) {
  Layout layout;
  layout.dp = 16;
  layout.ep = 16;
  Plan plan = test::small_plan(layout, 1);
  plan.model = test::small_moe(4, 64, 4, 16);
  EXPECT_FALSE(of_rule(plan, "cluster.all-to-all-across-rails"));
  plan.cluster.fabric.kind = FabricKind::rail_optimized;
  const auto warned = of_rule(plan, "cluster.all-to-all-across-rails");
  ASSERT_TRUE(warned);
  EXPECT_THAT(warned->message, HasSubstr("over the spine, or nowhere"));
  plan.layout.ep = 8;
  EXPECT_FALSE(of_rule(plan, "cluster.all-to-all-across-rails"));
}

TEST(NetworkCases, N25_MoreGroupsThanMulticastSlotsWarn) {
  Layout layout;
  layout.tp = 2;
  layout.cp = 2;
  layout.dp = 9;
  layout.pp = 2;
  Plan plan = test::small_plan(layout, 8);
  plan.cluster = test::switched_cluster(18, 4);
  plan.cluster.groups.front().link->domain_devices = 72;
  // 36 pairs of tensor, 36 of context, 36 of pipeline and 4 of data: 112.
  EXPECT_FALSE(of_rule(plan, "cluster.multicast-groups"));
  plan.model = test::small_moe();
  plan.layout.ep = 2;
  const auto warned = of_rule(plan, "cluster.multicast-groups");
  ASSERT_TRUE(warned);
  EXPECT_THAT(warned->message, HasSubstr("128 multicast slots"));
  EXPECT_THAT(warned->hint, HasSubstr("NCCL_NVLS_ENABLE=0"));
  const RunLog log = read_run_log("NODE:0:0 [0] NCCL WARN Failed to bind NVLink SHARP (NVLS) multicast memory\n");
  ASSERT_EQ(log.findings.size(), 1U);
  EXPECT_EQ(log.findings.front().topic, "multicast");
  EXPECT_THAT(log.findings.front().advice, HasSubstr("NCCL_NVLS_ENABLE=0 and start once more"));
}

TEST(NetworkCases, N26_SegmentsThatFitIntoSharedMemory) {
  constexpr std::int64_t kMiB = 1024 * 1024;
  EXPECT_EQ(shared_memory_segments(ByteCount(64 * kMiB), ByteCount(9'637'888)), 6);
  EXPECT_EQ(shared_memory_segments(ByteCount(16 * kMiB), ByteCount(7'340'384)), 2);
  const RunLog log = read_run_log(
      "NODE:0:0 [0] include/shm.h:48 NCCL WARN Error while creating shared memory segment nccl-shm-recv-0-0-1-3 (size "
      "9637888)\n");
  ASSERT_EQ(log.findings.size(), 1U);
  EXPECT_EQ(log.findings.front().topic, "shared memory");
  EXPECT_THAT(log.findings.front().advice, HasSubstr("at least 1 GiB"));
  LaunchEnvironment environment;
  environment.shared_memory = ByteCount(64 * kMiB);
  EXPECT_THAT(check_environment(environment, two_nodes()).to_text(), HasSubstr("1 GiB"));
}

TEST(NetworkCases, N28_RandomHashingFillsOneUplinkMoreThanTwice) {
  const EcmpSpread spread = ecmp_spread(8, 8, 1000);
  EXPECT_GT(spread.mean, 2.0);
  EXPECT_NEAR(spread.mean, 2.6, 0.1);
  EXPECT_GE(spread.worst, 4);
  EXPECT_GE(spread.best, 1);
  EXPECT_EQ(ecmp_spread(8, 1, 3).worst, 8);
}

TEST(ScalingCases, S05_AnEnvironmentThatSwitchesRdmaOffIsRefused) {
  LaunchEnvironment environment;
  environment.variables["NCCL_IB_DISABLE"] = "1";
  environment.variables["NCCL_P2P_DISABLE"] = "1";
  const Diagnostics problems = check_environment(environment, two_nodes());
  EXPECT_TRUE(problems.has_errors());
  EXPECT_THAT(problems.to_text(), HasSubstr("NCCL_IB_DISABLE: switches InfiniBand and RoCE off"));
  EXPECT_THAT(problems.to_text(), HasSubstr("NCCL_P2P_DISABLE"));
  Plan ethernet = two_nodes();
  ethernet.cluster.groups.front().network->kind = LinkKind::ethernet_tcp;
  environment.variables.erase("NCCL_P2P_DISABLE");
  EXPECT_TRUE(check_environment(environment, ethernet).empty());
  environment.variables["NCCL_IB_DISABLE"] = "0";
  EXPECT_TRUE(check_environment(environment, two_nodes()).empty());
}

TEST(ExpertCases, E05_AnAllToAllFarAboveItsBoundIsFlagged) {
  const Plan plan = [] {
    Layout layout;
    layout.dp = 16;
    layout.ep = 16;
    return test::small_plan(layout, 1);
  }();
  const CollectiveWork work{CollectiveKind::all_to_all, GroupAxis::expert, ByteCount(64 << 20), Precision::bf16};
  const GroupShape shape{16, 2, 8, 1, 1};
  EXPECT_FALSE(implausible_collective(work, shape, plan.cluster, Seconds(0.004)));
  const auto flagged = implausible_collective(work, shape, plan.cluster, Seconds(0.5));
  ASSERT_TRUE(flagged);
  EXPECT_THAT(*flagged, HasSubstr("times the bound"));
}

}  // namespace
}  // namespace trainwright::model
