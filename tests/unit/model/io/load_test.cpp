// SPDX-License-Identifier: Apache-2.0
#include "model/io/load.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>

#include "documents.hpp"
#include "model/base/error.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/local_machine.hpp"

namespace trainwright::model {
namespace {

namespace fs = std::filesystem;

// A folder of its own that goes away with the test.
class Load : public testing::Test {
 protected:
  Load() : folder_(fs::temp_directory_path() / ("trainwright_load_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Load() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    write_file_atomically(path, text);
    return path.string();
  }

  fs::path folder_;
  Diagnostics diagnostics_;
};

TEST_F(Load, TakesFilesOfOurFormat) {
  const auto model = load_model(write("m.json", documents::model()), diagnostics_);
  ASSERT_TRUE(model) << diagnostics_.to_text();
  EXPECT_EQ(model->id, "m1");
  const auto cluster = load_cluster(write("c.json", documents::cluster()), diagnostics_);
  ASSERT_TRUE(cluster) << diagnostics_.to_text();
  EXPECT_EQ(cluster->id, "c1");
}

TEST_F(Load, TakesHuggingFaceConfigs) {
  const auto model = load_model(write("config.json", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
      "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
      "num_key_value_heads": 2, "vocab_size": 100, "max_position_embeddings": 128, "tie_word_embeddings": false,
      "hidden_act": "silu", "rms_norm_eps": 1e-5})"),
                                diagnostics_);
  ASSERT_TRUE(model) << diagnostics_.to_text();
  EXPECT_EQ(model->architecture, "LlamaForCausalLM");
  EXPECT_EQ(layer_count(*model), 2);
}

TEST_F(Load, ReportsProblemsWithTheFile) {
  const std::string path = write("m.json", documents::with(documents::model(), "\"hidden\": 256", "\"hidden\": 0"));
  EXPECT_FALSE(load_model(path, diagnostics_));
  EXPECT_EQ(diagnostics_.to_text(), path + ": /hidden: is 0; allowed: between 1 and 4294967296\n");
}

TEST_F(Load, ReportsAMissingFile) {
  EXPECT_FALSE(load_cluster("no/such.json", diagnostics_));
  EXPECT_EQ(diagnostics_.to_text(), "no/such.json: cannot be opened: No such file or directory\n");
}

TEST_F(Load, ReportsAFileOfAnotherKind) {
  const std::string path = write("c.json", documents::cluster());
  EXPECT_FALSE(load_model(path, diagnostics_));
  EXPECT_EQ(diagnostics_.to_text(), path +
                                        ": /format: is \"trainwright/cluster/v1\"; a file of format "
                                        "\"trainwright/model/v1\" is needed here\n");
}

TEST_F(Load, NamesCloseMatchesAndAllIds) {
  EXPECT_FALSE(load_cluster("dgx-h10", diagnostics_));
  EXPECT_EQ(diagnostics_.to_text(),
            "command line: --cluster: \"dgx-h10\" is neither a known cluster nor a file; did you mean dgx-h100 or "
            "dgx-1 or dgx-a100? `trainwright profiles` lists all " +
                std::to_string(cluster_ids().size()) + "\n");
  Diagnostics other;
  EXPECT_FALSE(load_model("nothing like it", other));
  EXPECT_TRUE(other.to_text().starts_with(
      "command line: --model: \"nothing like it\" is neither a known model nor a file; known: bert-base, "))
      << other.to_text();
}

// A machine of files.
TEST_F(Load, ReadsCoresAndMemoryOfTheMachine) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel name\t: Some CPU @ 2 GHz\n");
  write("proc/meminfo", "MemFree: 1 kB\nMemTotal:       16384 kB\n");
  const LocalMachine machine = local_machine(folder_);
  EXPECT_EQ(machine.processor, "Some CPU @ 2 GHz");
  EXPECT_EQ(machine.memory, ByteCount(16384L * 1024));
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(machine.cores, CPU_COUNT(&set));
}

TEST_F(Load, HonoursTheControlGroupAndThoseAbove) {
  write("proc/cpuinfo", "");
  write("proc/meminfo", "MemTotal: 16384 kB\n");
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "8388608\n");
  write("sys/fs/cgroup/outer/memory.max", "max\n");
  const LocalMachine machine = local_machine(folder_);
  EXPECT_EQ(machine.cores, 1);  // one whole core of one and a half
  EXPECT_EQ(machine.memory, ByteCount(8388608));
  EXPECT_EQ(machine.processor, "unnamed processor");
}

TEST_F(Load, HonoursControlGroupsOfVersion1) {
  write("proc/meminfo", "MemTotal: 16384 kB\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4194304\n");
  const LocalMachine machine = local_machine(folder_);
  EXPECT_EQ(machine.cores, 1);
  EXPECT_EQ(machine.memory, ByteCount(4194304));
}

TEST_F(Load, TakesThePeakFromVectorUnitsAndClock) {
  write("proc/meminfo", "MemTotal: 16384 kB\n");
  const auto peak = [&](const std::string& cpuinfo) {
    write("proc/cpuinfo", cpuinfo);
    const std::optional<FlopsPerSecond> value = local_machine(folder_).core_peak;
    return value ? value->count() : 0.0;
  };
  EXPECT_DOUBLE_EQ(peak("cpu MHz\t\t: 2300.000\nflags\t\t: fpu fma avx avx2 avx512f\n"), 64 * 2.3e9);
  EXPECT_DOUBLE_EQ(peak("cpu MHz : 3000.0\nflags : fma avx avx2\n"), 32 * 3e9);
  EXPECT_DOUBLE_EQ(peak("cpu MHz : 3000.0\nflags : avx\n"), 16 * 3e9);
  EXPECT_DOUBLE_EQ(peak("cpu MHz : 3000.0\nflags : sse2\n"), 8 * 3e9);
  EXPECT_DOUBLE_EQ(peak("cpu MHz : 2000.0\nsiblings : 4\ncpu cores : 2\nflags : avx512f\n"), 32 * 2e9);
  EXPECT_EQ(peak("flags : avx2 fma\n"), 0.0);
  EXPECT_EQ(peak("cpu MHz : nan\nflags : avx2 fma\n"), 0.0);
}

TEST_F(Load, SaysWhenTheMachineTellsNothing) {
  EXPECT_THROW(static_cast<void>(local_machine(folder_)), EnvironmentError);
}

TEST(LocalCluster, HasADeviceForEachCore) {
  const Cluster cluster = local_cluster({"host", "Some CPU", 6, ByteCount(12'000'000'000), FlopsPerSecond(1e11)});
  ASSERT_EQ(cluster.groups.size(), 1U);
  const NodeGroup& group = cluster.groups.front();
  EXPECT_EQ(cluster.id, "local");
  EXPECT_EQ(group.devices_per_node, 6);
  EXPECT_EQ(group.cores_per_node, 6);
  EXPECT_TRUE(group.devices_share_cores);
  EXPECT_EQ(group.accelerator.memory, ByteCount(2'000'000'000));
  EXPECT_EQ(group.accelerator.family, "cpu");
  EXPECT_EQ(group.accelerator.peak(Precision::fp32), FlopsPerSecond(1e11));
  EXPECT_EQ(group.accelerator.peak(Precision::fp64), FlopsPerSecond(5e10));
  ASSERT_TRUE(group.link);
  EXPECT_EQ(group.link->kind, LinkKind::shared_memory);
  EXPECT_EQ(group.host_memory, ByteCount(12'000'000'000));
}

TEST(LocalCluster, IsAValidClusterOnThisMachine) {
  Diagnostics diagnostics;
  const auto cluster = load_cluster("local", diagnostics);
  ASSERT_TRUE(cluster);
  EXPECT_EQ(documents::problems(cluster_from_json, to_cluster_json(*cluster)), "");
}

}  // namespace
}  // namespace trainwright::model
