// Matrices of nvidia-smi topo -m. Values of real machines follow the public threads named beside them.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/topo_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/io/importers/imported_topology.hpp"

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

using Fact = std::pair<std::string, std::string>;

TopoMatrix read_good(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<TopoMatrix> matrix = read_topo_matrix(text, "m.txt", diagnostics);
  EXPECT_TRUE(matrix) << diagnostics.to_text();
  return matrix.value_or(TopoMatrix{});
}

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_topo_matrix(text, "m.txt", diagnostics));
  return diagnostics.to_text();
}

ImportedTopology import(const std::string& text, const TopologyOptions& options = {}) {
  Diagnostics diagnostics;
  const ImportedTopology result = import_topology(read_good(text), options, "m", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  return result;
}

// All pairs of `gpus` GPUs show `word`.
std::string even_matrix(int gpus, const std::string& word) {
  std::string text;
  for (int g = 0; g < gpus; ++g)
    text += "\tGPU" + std::to_string(g);
  text += "\tCPU Affinity\tNUMA Affinity\n";
  for (int a = 0; a < gpus; ++a) {
    text += "GPU" + std::to_string(a);
    for (int b = 0; b < gpus; ++b)
      text += a == b ? "\t X" : "\t" + word;
    text += "\t0-23\t0\n";
  }
  return text;
}

// https://github.com/NVIDIA/nccl/issues/428: four T4, one of them on the other socket.
constexpr const char* kFourT4 =
    "        GPU0  GPU1  GPU2  GPU3  CPU Affinity\n"
    "GPU0     X    SYS   SYS   SYS   0-15,32-47\n"
    "GPU1    SYS    X    NODE  NODE  16-31,48-63\n"
    "GPU2    SYS   NODE   X    NODE  16-31,48-63\n"
    "GPU3    SYS   NODE  NODE   X    16-31,48-63\n";

TEST(NetworkCases, N18ThePairsAcrossSocketsAreNamedAsTheSlowest) {
  const ImportedTopology result = import(kFourT4);
  EXPECT_THAT(result.facts, Contains(Fact("slowest pairs (SYS)", "GPU0-GPU1, GPU0-GPU2, GPU0-GPU3")));
  EXPECT_THAT(result.facts, Contains(Fact("pairs NODE", "3")));
  EXPECT_FALSE(result.cluster);
  EXPECT_THAT(result.no_cluster, HasSubstr("does not name the GPU"));
}

TEST(TopoMatrix, MakesAClusterOnceTheGpuIsNamed) {
  const ImportedTopology result = import(kFourT4, {.accelerator = "t4"});
  ASSERT_TRUE(result.cluster) << result.no_cluster;
  const NodeGroup& group = result.cluster->groups.front();
  EXPECT_EQ(group.devices_per_node, 4);
  EXPECT_EQ(group.cores_per_node, 64);
  EXPECT_EQ(group.link->kind, LinkKind::pcie);
  EXPECT_NEAR(group.link->bandwidth.count(), 15.75e9, 0.01e9);
}

TEST(TopoMatrix, TellsASwitchFromDirectLinks) {
  // Twelve links to each of seven others cannot be: the GPU has twelve in all.
  const NodeLink dgx = import(even_matrix(8, "NV12"), {.accelerator = "a100-sxm-80gb"}).cluster->groups[0].link.value();
  EXPECT_EQ(dgx, (NodeLink{LinkKind::nvlink_switch, BytesPerSecond(300e9)}));
  const NodeLink hgx = import(even_matrix(8, "NV18"), {.accelerator = "h100-sxm"}).cluster->groups[0].link.value();
  EXPECT_EQ(hgx, (NodeLink{LinkKind::nvlink_switch, BytesPerSecond(450e9)}));
  const NodeLink tray = import(even_matrix(4, "NV18"), {.accelerator = "gb200"}).cluster->groups[0].link.value();
  EXPECT_EQ(tray, (NodeLink{LinkKind::nvlink_switch, BytesPerSecond(900e9)}));
  const NodeLink four = import(even_matrix(4, "NV4"), {.accelerator = "a100-sxm-40gb"}).cluster->groups[0].link.value();
  EXPECT_EQ(four, (NodeLink{LinkKind::nvlink_mesh, BytesPerSecond(300e9)}));
  const NodeLink two = import(even_matrix(2, "NV2"), {.accelerator = "v100-sxm2-16gb"}).cluster->groups[0].link.value();
  EXPECT_EQ(two, (NodeLink{LinkKind::nvlink_mesh, BytesPerSecond(50e9)}));
  const NodeLink none = import(even_matrix(2, "PHB"), {.accelerator = "rtx-3090"}).cluster->groups[0].link.value();
  EXPECT_EQ(none.kind, LinkKind::pcie);
}

TEST(TopoMatrix, UnderlinedHeadersOfTerminalsAreRead) {
  std::string text = even_matrix(2, "NV2");
  text.insert(0, "\x1b[4m");
  text.insert(text.find('\n'), "\x1b[0m");
  EXPECT_EQ(read_good(text).gpus, 2U);
}

constexpr const char* kWithAdapters =
    "      GPU0  GPU1  NIC0  NIC1  CPU Affinity\n"
    "GPU0   X    NV18  PIX   SYS   0-47\n"
    "GPU1  NV18   X    SYS   SYS   48-95\n"
    "NIC0  PIX   SYS    X    SYS\n"
    "NIC1  SYS   SYS   SYS    X\n"
    "\n"
    "NIC Legend:\n"
    "  NIC0: mlx5_0\n";

TEST(TopoMatrix, UnevenAdaptersAreFindings) {
  const ImportedTopology result = import(kWithAdapters);
  EXPECT_THAT(result.facts, Contains(Fact("near", "GPU0: NIC0 (PIX)")));
  EXPECT_THAT(result.findings, Contains(HasSubstr("GPU1 reach every adapter through the host bridge")));
}

TEST(TopoMatrix, TheRateOfAdaptersIsAskedFor) {
  const ImportedTopology without = import(kWithAdapters, {.accelerator = "h100-sxm"});
  ASSERT_TRUE(without.cluster);
  EXPECT_FALSE(without.cluster->groups[0].network);
  EXPECT_THAT(without.findings, Contains(HasSubstr("add --adapter-rate")));
  const ImportedTopology with =
      import(kWithAdapters, {.accelerator = "h100-sxm", .nodes = 2, .adapter_rate = BytesPerSecond(50e9)});
  ASSERT_TRUE(with.cluster) << with.no_cluster;
  EXPECT_EQ(with.cluster->groups[0].network->adapters, 2);
}

// https://github.com/NVIDIA/nccl/issues/1357 shows fewer rows than columns; people paste such text.
TEST(TopoMatrix, ACutPasteIsRefused) {
  std::string text = even_matrix(4, "NV18");
  text.erase(text.rfind("GPU3"));
  EXPECT_EQ(refusal(text),
            "m.txt: the columns name 4 GPUs, but there is no row of GPU3; the paste is cut; paste the whole output\n");
  text.erase(text.size() - 20);  // into the row of GPU2
  EXPECT_THAT(refusal(text), HasSubstr("the row of GPU2 ends after"));
}

TEST(TopoMatrix, DamagedMatricesAreRefused) {
  EXPECT_THAT(refusal("nothing of the kind\n"), HasSubstr("holds no matrix of nvidia-smi topo -m"));
  EXPECT_THAT(refusal("GPU0 GPU1\nGPU0 X NV2\nGPU1 NV1 X\n"), HasSubstr("GPU1 to GPU0 differs from the way back"));
  EXPECT_THAT(refusal("GPU0 GPU1\nGPU0 X ABC\nGPU1 NV1 X\n"),
              HasSubstr("GPU0 to GPU1 is \"ABC\"; allowed: X, NVn, PIX, PXB, PHB, NODE, SYS"));
  EXPECT_THAT(refusal("GPU0 GPU1\nGPU0 NV2 NV2\nGPU1 NV2 X\n"), HasSubstr("GPU0 to itself is not X"));
}

TEST(TopoMatrix, EvenMachinesHaveNoFindingsOnAdapters) {
  EXPECT_THAT(import(even_matrix(8, "NV18")).findings, IsEmpty());
}

}  // namespace
}  // namespace trainwright::model
