// Topology files of NCCL, each as small as its point allows. Facts of real machines are re-entered from their vendors'
// documentation, not copied.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/io/importers/imported_topology.hpp"

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::optional<NcclTopology> read(const std::string& text, Diagnostics& diagnostics) {
  return read_nccl_topology(text, "t.xml", diagnostics);
}

NcclTopology read_good(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<NcclTopology> topology = read(text, diagnostics);
  EXPECT_TRUE(topology) << diagnostics.to_text();
  return topology.value_or(NcclTopology{});
}

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics));
  return diagnostics.to_text();
}

ImportedTopology import(const std::string& text, const TopologyOptions& options = {}) {
  Diagnostics diagnostics;
  const ImportedTopology result = import_topology(read_good(text), options, "t", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  return result;
}

std::string cpu(const std::string& id, const std::string& inside) {
  return "<cpu numaid=\"" + id + "\" affinity=\"00000000,0000ffff\" arch=\"x86_64\">" + inside + "</cpu>";
}
std::string system(const std::string& inside) {
  return "<system version=\"1\">" + inside + "</system>";
}
std::string bridge(const std::string& bus, const std::string& speed, const std::string& inside) {
  return "<pci busid=\"" + bus + "\" class=\"0x060400\" link_speed=\"" + speed + "\" link_width=\"16\">" + inside +
         "</pci>";
}
// An H100 SXM with nine links to each of two switches.
std::string h100(const std::string& bus) {
  return "<pci busid=\"" + bus +
         "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
         "<gpu dev=\"0\" sm=\"90\" rank=\"0\" gdr=\"1\"><nvlink target=\"0000:f0:00.0\" count=\"9\" "
         "tclass=\"0x068000\"/>"
         "<nvlink target=\"0000:f1:00.0\" count=\"9\" tclass=\"0x068000\"/></gpu></pci>";
}
std::string adapter(const std::string& bus, const std::string& name, int megabits, const std::string& slot) {
  return "<pci busid=\"" + bus + "\" class=\"0x020700\" vendor=\"0x15b3\" link_speed=\"" + slot +
         "\" link_width=\"16\"><nic><net name=\"" + name + "\" dev=\"0\" speed=\"" + std::to_string(megabits) +
         "\" port=\"1\" gdr=\"1\"/></nic></pci>";
}

// Two PCI switches, each with a GPU and an adapter of its own.
std::string two_rails() {
  return system(cpu("0", bridge("s0", "32.0 GT/s PCIe", h100("g0") + adapter("n0", "mlx5_0", 400000, "32.0 GT/s"))) +
                cpu("1", bridge("s1", "32.0 GT/s PCIe", h100("g1") + adapter("n1", "mlx5_1", 400000, "32.0 GT/s"))));
}

TEST(NcclTopology, MakesAClusterOfAFullDump) {
  const ImportedTopology result = import(two_rails(), {.host_memory = ByteCount(1'000'000'000'000)});
  ASSERT_TRUE(result.cluster) << result.no_cluster;
  const NodeGroup& group = result.cluster->groups.front();
  EXPECT_EQ(group.accelerator.id, "h100-sxm");
  EXPECT_EQ(group.devices_per_node, 2);
  EXPECT_EQ(group.nodes, 1);
  EXPECT_EQ(group.cores_per_node, 32);
  EXPECT_EQ(group.link, (NodeLink{LinkKind::nvlink_switch, BytesPerSecond(450e9)}));
  ASSERT_TRUE(group.network);
  EXPECT_EQ(group.network->kind, LinkKind::infiniband);
  EXPECT_EQ(group.network->adapters, 2);
  EXPECT_EQ(group.network->rate, BytesPerSecond(50e9));
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.facts, Contains(std::pair<std::string, std::string>("near", "GPU0 (g0): mlx5_0 (PIX)")));
}

TEST(NcclTopology, SeveralNodesAreJoinedAndSaySo) {
  const ImportedTopology result = import(two_rails(), {.nodes = 4});
  ASSERT_TRUE(result.cluster);
  EXPECT_EQ(node_count(*result.cluster), 4);
  EXPECT_EQ(result.cluster->fabric.kind, FabricKind::full_bisection);
  EXPECT_THAT(result.findings, Contains(HasSubstr("full bisection was written")));
  EXPECT_THAT(result.findings, Contains(HasSubstr("host memory is not in the file")));
}

TEST(NcclTopology, AGraphFileIsNamedAsSuch) {
  EXPECT_THAT(refusal("<graphs version=\"1\"><graph id=\"0\"/></graphs>"), HasSubstr("is a graph file of NCCL"));
}

TEST(NcclTopology, OtherTextsAreRefused) {
  EXPECT_THAT(refusal("not XML at all"), HasSubstr("t.xml: is not XML"));
  EXPECT_THAT(refusal(""), HasSubstr("is not XML"));
  EXPECT_THAT(refusal("<topology/>"), HasSubstr("\"system\" is needed"));
  EXPECT_THAT(refusal("<system/>"), HasSubstr("holds no cpu element"));
  EXPECT_THAT(refusal(system(cpu("0", ""))), HasSubstr("holds no GPU"));
  std::string deep;
  for (int i = 0; i < 200; ++i)
    deep += "<pci busid=\"b\" class=\"0x060400\">";
  EXPECT_THAT(refusal(system("<cpu>" + deep)), HasSubstr("is not XML"));
  for (int i = 0; i < 200; ++i)
    deep += "</pci>";
  EXPECT_THAT(refusal(system("<cpu>" + deep + "</cpu>")), HasSubstr("is nested deeper than 32 bridges"));
}

// What Amazon ships for its G5 instances orders bus ids and says nothing of what they are.
TEST(NetworkCases, N27AFileOfBusIdsAloneIsRefusedWithWhatIsMissing) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      read(system("<cpu numaid=\"0\"><pci busid=\"0000:00:16.0\"/><pci busid=\"0000:00:17.0\"/></cpu>"), diagnostics));
  EXPECT_EQ(diagnostics.to_text(),
            "t.xml: warning: /system/cpu[0]: affinity is missing; the number of processor cores stays unknown\n"
            "t.xml: /system: 2 pci elements have no class and no gpu or nic inside (0000:00:16.0 ...): nothing tells "
            "which are GPUs and which are adapters; the file only orders bus ids for NCCL; let NCCL write all it sees "
            "with NCCL_TOPO_DUMP_FILE=topo.xml\n");
}

TEST(NetworkCases, N27MissingAttributesAreNamedWithTheDefaultUsed) {
  const std::string text =
      system("<cpu numaid=\"0\"><pci busid=\"a\" class=\"0x030200\"/><pci busid=\"b\" class=\"0x030200\"/></cpu>");
  Diagnostics diagnostics;
  const std::optional<NcclTopology> topology = read(text, diagnostics);
  ASSERT_TRUE(topology);
  EXPECT_THAT(diagnostics.to_text(), HasSubstr("/system/cpu[0]: affinity is missing"));
  Diagnostics none;
  const ImportedTopology unnamed = import_topology(*topology, {}, "t", none);
  EXPECT_FALSE(unnamed.cluster);
  EXPECT_THAT(unnamed.no_cluster, HasSubstr("does not name the GPU; add --accelerator"));
  const ImportedTopology named = import_topology(*topology, {.accelerator = "a10g"}, "t", none);
  ASSERT_TRUE(named.cluster) << named.no_cluster;
  EXPECT_EQ(none.to_text(), "");
  EXPECT_THAT(named.findings, Contains(HasSubstr("processor cores are not in the file: one core for each GPU")));
  EXPECT_THAT(named.findings, Contains(HasSubstr("the PCI Express rate is not in the topology file")));
  EXPECT_EQ(named.cluster->groups.front().link->kind, LinkKind::pcie);
}

TEST(NcclTopology, AnUnknownAcceleratorIsAProblemOfTheCommandLine) {
  Diagnostics diagnostics;
  const ImportedTopology result = import_topology(read_good(two_rails()), {.accelerator = "h100"}, "t", diagnostics);
  EXPECT_FALSE(result.cluster);
  EXPECT_THAT(diagnostics.to_text(), HasSubstr("command line: --accelerator: \"h100\" is not a known accelerator"));
}

// Amazon's file for P4d lists no NVLinks and no speeds, but names its devices.
TEST(NcclTopology, BoardsWithoutNvlinksInTheFileHaveThoseOfTheDataSheet) {
  const std::string gpu = R"(class="0x030200" vendor="0x10de" device="0x20b0" link_speed="8 GT/s" link_width="16"/>)";
  const ImportedTopology result =
      import(system(cpu("0", bridge("s", "8 GT/s",
                                    "<pci busid=\"g0\" " + gpu + "<pci busid=\"g1\" " + gpu +
                                        R"(<pci busid="n" class="0x020000" vendor="0x1d0f" device="0xefa0"
                                            link_speed="8 GT/s" link_width="16"/>)"))));
  ASSERT_TRUE(result.cluster) << result.no_cluster;
  const NodeGroup& group = result.cluster->groups.front();
  EXPECT_EQ(group.accelerator.id, "a100-sxm-40gb");
  EXPECT_EQ(group.link, (NodeLink{LinkKind::nvlink_switch, BytesPerSecond(300e9)}));
  EXPECT_THAT(result.findings, Contains(HasSubstr("NVLink is not in the topology file")));
  ASSERT_TRUE(group.network);
  EXPECT_EQ(group.network->rate, BytesPerSecond(12.5e9));
  EXPECT_EQ(group.network->kind, LinkKind::roce);
}

// Azure's NC A100 v4: the ends of the NVLinks are hidden behind the GPU's own bus id.
TEST(NcclTopology, NvlinksToTheGpuItselfAreNotUsed) {
  const auto gpu = [](const std::string& bus) {
    return "<pci busid=\"" + bus +
           "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20b5\" link_speed=\"\" link_width=\"0\"><gpu dev=\"0\" "
           "sm=\"80\"><nvlink target=\"" +
           bus + "\" count=\"12\" tclass=\"0x030200\"/></gpu></pci>";
  };
  Diagnostics diagnostics;
  const std::optional<NcclTopology> topology = read(system(cpu("0", gpu("a")) + cpu("1", gpu("b"))), diagnostics);
  ASSERT_TRUE(topology);
  EXPECT_THAT(diagnostics.to_text(), HasSubstr("its 12 NVLinks end at the GPU itself"));
  Diagnostics none;
  const ImportedTopology result = import_topology(*topology, {}, "t", none);
  ASSERT_TRUE(result.cluster) << result.no_cluster;
  EXPECT_EQ(result.cluster->groups.front().accelerator.id, "a100-pcie-80gb");
  EXPECT_EQ(result.cluster->groups.front().link->kind, LinkKind::pcie);
}

TEST(NcclTopology, DirectLinksAreAMeshWhereTheyJoinAll) {
  const auto gpu = [](const std::string& bus, const std::string& peers) {
    return "<pci busid=\"" + bus + "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x1db1\"><gpu sm=\"70\">" + peers +
           "</gpu></pci>";
  };
  const auto to = [](const std::string& bus, int count) {
    return "<nvlink target=\"" + bus + "\" count=\"" + std::to_string(count) + "\" tclass=\"0x030200\"/>";
  };
  const ImportedTopology ring = import(system(cpu(
      "0", gpu("a", to("b", 2) + to("c", 2)) + gpu("b", to("a", 2) + to("c", 1)) + gpu("c", to("a", 2) + to("b", 1)))));
  ASSERT_TRUE(ring.cluster);
  EXPECT_EQ(ring.cluster->groups.front().link, (NodeLink{LinkKind::nvlink_mesh, BytesPerSecond(75e9)}));
  const ImportedTopology pairs = import(
      system(cpu("0", gpu("a", to("b", 4)) + gpu("b", to("a", 4)) + gpu("c", to("d", 4)) + gpu("d", to("c", 4)))));
  ASSERT_TRUE(pairs.cluster);
  EXPECT_EQ(pairs.cluster->groups.front().link->kind, LinkKind::pcie);
  EXPECT_THAT(pairs.findings, Contains(HasSubstr("NVLink joins only some GPUs")));
}

TEST(NetworkCases, N10TwoFastAdaptersOnOneSlotReachTheSlot) {
  // Both adapters hang on one switch, whose link upwards has generation 4 and 16 lanes: 31.5 GB/s.
  const ImportedTopology result = import(
      system(cpu("0", bridge("s", "16 GT/s",
                             adapter("n0", "mlx5_0", 200000, "16 GT/s") + adapter("n1", "mlx5_1", 200000, "16 GT/s")) +
                          h100("g0"))));
  ASSERT_TRUE(result.cluster) << result.no_cluster;
  const NodeNetwork network = result.cluster->groups.front().network.value();
  EXPECT_EQ(network.adapters, 2);
  EXPECT_NEAR(network.rate.count() * 2, 31.5e9, 0.05e9);
  EXPECT_THAT(result.findings, Contains(HasSubstr("one adapter saturates it")));
}

TEST(NcclTopology, AdaptersThatTheirSlotsCarryAreNotCut) {
  EXPECT_THAT(import(two_rails()).findings, Not(Contains(HasSubstr("PCI link"))));
}

TEST(NetworkCases, N11GpusThatShareAnAdapterAreNamed) {
  const ImportedTopology result =
      import(system(cpu("0", bridge("s0", "32.0 GT/s PCIe", h100("g0") + adapter("n0", "mlx5_0", 200000, "32.0 GT/s")) +
                                 bridge("s1", "32.0 GT/s PCIe",
                                        h100("g1") + h100("g2") + adapter("n1", "mlx5_1", 200000, "32.0 GT/s")))));
  EXPECT_THAT(result.findings, ElementsAre(HasSubstr("GPU1 (g1), GPU2 (g2) have less of an adapter than the others"),
                                           HasSubstr("host memory is not in the file")));
}

TEST(NetworkCases, N11GpusFarFromEveryAdapterAreNamed) {
  const ImportedTopology result = import(
      system(cpu("0", bridge("s0", "32.0 GT/s PCIe", h100("g0") + adapter("n0", "mlx5_0", 200000, "32.0 GT/s"))) +
             cpu("1", h100("g1"))));
  EXPECT_THAT(result.findings, Contains(HasSubstr("GPU1 (g1) reach every adapter through the host bridge")));
}

TEST(NcclTopology, SlowerAdaptersAreNotCountedForGpuTraffic) {
  const std::string front = R"(<nic><net name="eth0" dev="9" speed="100000" port="1" gdr="0"/></nic>)";
  const ImportedTopology result =
      import(system(cpu("0", h100("g0") + adapter("n0", "mlx5_0", 400000, "32.0 GT/s") + front)));
  ASSERT_TRUE(result.cluster);
  EXPECT_EQ(result.cluster->groups.front().network->adapters, 1);
  EXPECT_THAT(result.findings, Contains(HasSubstr("eth0 is slower or without a direct way to GPU memory")));
}

TEST(NcclTopology, WithoutRatesThereIsNoNetworkUntilOneIsGiven) {
  const std::string text = system(cpu("0", h100("g0") + "<pci busid=\"n\" class=\"0x020700\"/>"));
  EXPECT_FALSE(import(text).cluster->groups.front().network);
  EXPECT_THAT(import(text).findings, Contains(HasSubstr("add --adapter-rate")));
  const ImportedTopology given = import(text, {.adapter_rate = BytesPerSecond(25e9)});
  EXPECT_EQ(given.cluster->groups.front().network->rate, BytesPerSecond(25e9));
  const ImportedTopology nodes = import(text, {.nodes = 2});
  EXPECT_FALSE(nodes.cluster);
  EXPECT_THAT(nodes.no_cluster, HasSubstr("several nodes need a network"));
}

}  // namespace
}  // namespace trainwright::model
