// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/accelerators.hpp"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor/fake_machine.hpp"

namespace trainwright::cli {
namespace {

std::vector<Finding> findings_of(const FakeMachine& machine) {
  return examine_accelerators(machine, find_gpus(machine));
}

FakeMachine with_two_gpus() {
  FakeMachine machine;
  machine.programs["nvidia-smi"] = "/usr/bin/nvidia-smi";
  machine.outputs["/usr/bin/nvidia-smi"] = "NVIDIA H200, 143771\nNVIDIA H200, 143771\n";
  machine.files["/proc/driver/nvidia/version"] =
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\nGCC version: gcc 12.2.0\n";
  machine.programs["nvcc"] = "/usr/local/cuda/bin/nvcc";
  machine.outputs["/usr/local/cuda/bin/nvcc"] = "Cuda compilation tools, release 13.0, V13.0.88\n";
  machine.files["/usr/lib64/libnccl.so.2"] = "";
  machine.files["/usr/lib64/libnccl.so.2.28.3"] = "";
  return machine;
}

TEST(Gpus, ComeFromNvidiaSmi) {
  const GpuFact h200{"NVIDIA H200", model::ByteCount(143771LL * 1024 * 1024)};
  EXPECT_EQ(find_gpus(with_two_gpus()), (std::vector<GpuFact>{h200, h200}));
}

TEST(Gpus, ComeFromTheDriverWhenNvidiaSmiDoesNotAnswer) {
  FakeMachine machine = with_two_gpus();
  machine.outputs.clear();
  machine.files["/proc/driver/nvidia/gpus/0000:04:00.0/information"] = "Model: \t\t NVIDIA H200\nIRQ: 1\n";
  EXPECT_EQ(find_gpus(machine), (std::vector<GpuFact>{{"NVIDIA H200", std::nullopt}}));
}

TEST(Gpus, KeepTheirNameWhenMemoryIsUnknown) {
  FakeMachine machine = with_two_gpus();
  machine.outputs["/usr/bin/nvidia-smi"] = "NVIDIA GB10, [N/A]\nno comma\n";
  EXPECT_EQ(find_gpus(machine), (std::vector<GpuFact>{{"NVIDIA GB10", std::nullopt}}));
}

TEST(Accelerators, AreFoundWithTheirVersions) {
  EXPECT_EQ(findings_of(with_two_gpus()),
            (std::vector<Finding>{
                {"gpu", "GPUs", FindingState::present, "2 x NVIDIA H200 (151 GB)", ""},
                {"gpu_driver", "NVIDIA driver", FindingState::present, "580.65.06", ""},
                {"cuda_toolkit", "CUDA toolkit", FindingState::present, "13.0, /usr/local/cuda/bin/nvcc", ""},
                {"nccl", "NCCL", FindingState::present, "/usr/lib64/libnccl.so.2.28.3", ""},
            }));
}

TEST(Accelerators, AreAllMissingWithAFixEach) {
  for (const Finding& finding : findings_of(FakeMachine())) {
    EXPECT_EQ(finding.state, FindingState::missing) << finding.id;
    EXPECT_FALSE(finding.detail.empty()) << finding.id;
    EXPECT_FALSE(finding.fix.empty()) << finding.id;
  }
}

TEST(Accelerators, TellACardWithoutDriverFromNoCard) {
  FakeMachine machine;
  machine.files["/sys/bus/pci/devices/0000:00:02.0/vendor"] = "0x8086\n";
  machine.files["/sys/bus/pci/devices/0000:00:02.0/class"] = "0x030000\n";
  machine.files["/sys/bus/pci/devices/0000:04:00.1/vendor"] = "0x10de\n";
  machine.files["/sys/bus/pci/devices/0000:04:00.1/class"] = "0x040300\n";
  EXPECT_EQ(findings_of(machine)[0].detail, "no NVIDIA card is visible") << "an audio function is no GPU";
  machine.files["/sys/bus/pci/devices/0000:04:00.0/vendor"] = "0x10de\n";
  machine.files["/sys/bus/pci/devices/0000:04:00.0/class"] = "0x030200\n";
  EXPECT_EQ(findings_of(machine)[0].detail, "1 NVIDIA card on the bus, but no driver serves them");
}

TEST(Nccl, IsFoundWhereTheLinkerLooks) {
  FakeMachine machine;
  machine.files["/etc/ld.so.conf.d/cuda.conf"] = "# a comment\n/opt/cuda/lib64\n";
  machine.files["/opt/cuda/lib64/libnccl.so.2"] = "";
  EXPECT_EQ(findings_of(machine)[3].detail, "/opt/cuda/lib64/libnccl.so.2");
  machine.variables["LD_LIBRARY_PATH"] = "/nowhere:/opt/nccl/lib";
  machine.files["/opt/nccl/lib/libnccl.so.2.28.3"] = "";
  EXPECT_EQ(findings_of(machine)[3].detail, "/opt/nccl/lib/libnccl.so.2.28.3");
}

}  // namespace
}  // namespace trainwright::cli
