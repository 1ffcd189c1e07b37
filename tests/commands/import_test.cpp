// `trainwright import` of files other than models: what is on which output, exit codes, files written.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing_support::CommandTest;
using testing_support::Outcome;

class Import : public CommandTest {};

constexpr const char* kMatrix =
    "      GPU0  GPU1  CPU Affinity\n"
    "GPU0   X    NV2   0-23\n"
    "GPU1  NV2    X    0-23\n";

TEST_F(Import, UnknownKindsAreRefusedWithTheKnownOnes) {
  const Outcome outcome = run({"import", "pickle", "x"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("allowed: hf, nccl-topo, topo-m, nccl-tests, run-log, megatron, deepspeed, fsdp"));
}

TEST_F(Import, LogsWithoutAKnownLineAreNotCalledHealthy) {
  write("empty.log", "");
  EXPECT_EQ(run({"import", "run-log", "empty.log"}).exit_code, 2);
  write("binary.log", std::string("ELF\0\1", 5));
  EXPECT_EQ(run({"import", "run-log", "binary.log"}).exit_code, 2);
  write("other.log", "step 1 loss 3.2\n");
  EXPECT_THAT(run({"import", "run-log", "other.log"}).out, HasSubstr("no line of NCCL or of an allocator"));
}

TEST_F(Import, ATopologyBecomesAClusterThatPredictTakes) {
  write("m.txt", kMatrix);
  const Outcome imported = run({"import", "topo-m", "m.txt", "--accelerator", "v100-sxm2-32gb", "--out", "two.json"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("cluster profile: two.json"));
  EXPECT_EQ(Json::parse(read("two.json"))["id"], "two");
  const Outcome predicted = run({"predict", "--model", "gpt2", "--cluster", "two.json", "--json", "--quiet"});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
}

TEST_F(Import, ATopologyWithoutAGpuMakesNoClusterAndSaysWhy) {
  write("m.txt", kMatrix);
  const Outcome summary = run({"import", "topo-m", "m.txt"});
  EXPECT_EQ(summary.exit_code, 0);
  EXPECT_THAT(summary.out, HasSubstr("no cluster profile: the file does not name the GPU; add --accelerator"));
  const Outcome refused = run({"import", "topo-m", "m.txt", "--out", "c.json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("m.txt: makes no cluster profile"));
}

TEST_F(Import, ATopologyFileOfNcclIsRead) {
  write("t.xml",
        R"(<system><cpu numaid="0" affinity="ff"><pci busid="a" class="0x030200" vendor="0x10de" device="0x1eb8"
           link_speed="8 GT/s" link_width="16"/></cpu></system>)");
  const Outcome outcome = run({"import", "nccl-topo", "t.xml", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json value = Json::parse(outcome.out);
  EXPECT_EQ(value["cluster"]["groups"][0]["accelerator"]["id"], "t4");
  EXPECT_EQ(value["cluster"]["groups"][0]["cores_per_node"], 8);
}

TEST_F(Import, ALogBecomesAMeasurementThatCalibrateTakes) {
  write("l.log",
        "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"
        "1073741824 268435456 float sum -1 8203.9 130.88 229.04 0 8203.9 130.88 229.04 0\n"
        "2147483648 536870912 float sum -1 16240 132.23 231.41 0 16240 132.23 231.41 0\n"
        "# Out of bounds values : 0 OK\n");
  const Outcome imported = run({"import", "nccl-tests", "l.log", "--nodes", "1", "--out", "m.json"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("all_reduce, 8 ranks on 1 node, best bus bandwidth 231.4 GB/s"));
  const Outcome calibrated = run({"calibrate", "m.json", "--cluster", "dgx-a100", "--out", "c.json"});
  EXPECT_EQ(calibrated.exit_code, 0) << calibrated.err;
}

TEST_F(Import, ALogBetweenNodesIsJudgedAgainstACluster) {
  write("l.log",
        "#  size  time  algbw  busbw\n"
        "2147483648 51406 41.77 78.33\n");
  const Outcome outcome = run({"import", "nccl-tests", "l.log", "--nodes", "2", "--cluster", "azure-ndv4"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // Adapters of 200 Gbit/s: between 12.3 GB/s of 100 and 48 of 400, as maintainers expect them.
  EXPECT_THAT(outcome.out,
              HasSubstr("network: expected 184 GB/s to 195 GB/s, 39 % of the 200 GB/s of a node's adapters: "
                        "far too low"));
}

TEST_F(Import, ALaunchThatCannotRunIsAnsweredWithNo) {
  write("train.sh",
        "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 8 "
        "--pipeline-model-parallel-size 16 --bf16\n");
  const Outcome outcome = run({"import", "megatron", "train.sh", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(Json::parse(outcome.out)["ranks_multiple"], 128);
}

TEST_F(Import, ConfigurationsOfDeepSpeedAndAccelerateAreRead) {
  write("ds.json", R"({"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}})");
  const Outcome deepspeed = run({"import", "deepspeed", "ds.json", "--json"});
  EXPECT_EQ(deepspeed.exit_code, 0) << deepspeed.err;
  EXPECT_EQ(Json::parse(deepspeed.out)["choices"]["zero"], 3);
  write("a.yaml",
        "distributed_type: FSDP\nnum_processes: 8\nmixed_precision: bf16\nfsdp_config:\n"
        "  fsdp_sharding_strategy: SHARD_GRAD_OP\n");
  const Outcome fsdp = run({"import", "fsdp", "a.yaml"});
  EXPECT_EQ(fsdp.exit_code, 0) << fsdp.err;
  EXPECT_THAT(fsdp.out, HasSubstr("--gpus 8 --zero 2"));
}

TEST_F(Import, WrongOptionsAreRefusedBeforeTheFileIsRead) {
  const Outcome outcome = run({"import", "topo-m", "none.txt", "--adapter-rate", "200 Gb", "--nodes", "0"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--adapter-rate"));
  EXPECT_THAT(outcome.err, HasSubstr("--nodes: is 0"));
}

}  // namespace
}  // namespace trainwright
