// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/resources.hpp"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor/fake_machine.hpp"

namespace trainwright::cli {
namespace {

Finding finding_of(const FakeMachine& machine, const std::string& id) {
  for (const Finding& finding : examine_resources(machine)) {
    if (finding.id == id)
      return finding;
  }
  ADD_FAILURE() << "no finding " << id;
  return {};
}

TEST(CoresAllowed, AreTheAffinityMaskWithoutAQuota) {
  FakeMachine machine;
  machine.cores = 6;
  EXPECT_EQ(cores_allowed(machine), 6);
  machine.files["/sys/fs/cgroup/cpu.max"] = "max 100000\n";
  EXPECT_EQ(cores_allowed(machine), 6);
}

TEST(CoresAllowed, AreCutByTheQuotaOfAnyGroupAbove) {
  FakeMachine machine;
  machine.cores = 64;
  machine.files["/proc/self/cgroup"] = "0::/slurm/job_7\n";
  machine.files["/sys/fs/cgroup/slurm/job_7/cpu.max"] = "max 100000\n";
  machine.files["/sys/fs/cgroup/slurm/cpu.max"] = "450000 100000\n";
  EXPECT_EQ(cores_allowed(machine), 4);
  machine.files["/sys/fs/cgroup/slurm/job_7/cpu.max"] = "50000 100000\n";
  EXPECT_EQ(cores_allowed(machine), 1) << "half a core is still one that computes";
}

TEST(CoresAllowed, KnowVersionOneOfControlGroups) {
  FakeMachine machine;
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "200000\n";
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "100000\n";
  EXPECT_EQ(cores_allowed(machine), 2);
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "-1\n";
  EXPECT_EQ(cores_allowed(machine), 8);
}

TEST(CoresAllowed, SurviveNonsense) {
  FakeMachine machine;
  for (const char* text : {"", "\n", "100000", "100000 0", "words words", "99999999999999999999 1"}) {
    machine.files["/sys/fs/cgroup/cpu.max"] = text;
    EXPECT_EQ(cores_allowed(machine), 8) << text;
  }
}

TEST(MemoryAllowed, IsTheSmallestLimit) {
  FakeMachine machine;
  EXPECT_EQ(memory_allowed(machine), model::ByteCount(0)) << "unknown";
  machine.files["/proc/meminfo"] = "MemTotal:        1000 kB\n";
  EXPECT_EQ(memory_allowed(machine), model::ByteCount(1024000));
  machine.files["/sys/fs/cgroup/memory.max"] = "max\n";
  EXPECT_EQ(memory_allowed(machine), model::ByteCount(1024000));
  machine.files["/sys/fs/cgroup/memory.max"] = "500000\n";
  EXPECT_EQ(memory_allowed(machine), model::ByteCount(500000));
}

TEST(Resources, SayWhenAContainersSharedMemoryIsSmall) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.disks["/dev/shm"] = {model::ByteCount(67'108'864), model::ByteCount(67'108'864)};
  const Finding finding = finding_of(machine, "shared_memory");
  EXPECT_EQ(finding.state, FindingState::limited);
  EXPECT_EQ(finding.detail, "67.1 MB free of 67.1 MB");
  EXPECT_EQ(finding.fix, "start the container with --shm-size=1g, or mount -o remount,size=1G /dev/shm");
}

TEST(Resources, AskForLockedMemoryOnlyWhereACardNeedsIt) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  EXPECT_EQ(finding_of(machine, "locked_memory").state, FindingState::present);
  machine.files["/sys/class/infiniband/mlx5_0/node_guid"] = "1";
  EXPECT_EQ(finding_of(machine, "locked_memory").state, FindingState::limited);
  machine.limits.erase(ProcessLimit::locked_memory);
  EXPECT_EQ(finding_of(machine, "locked_memory").state, FindingState::present) << "unlimited";
}

TEST(Resources, SayWhenFilesOrDiskAreShort) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.limits[ProcessLimit::open_files] = 256;
  machine.disks["."].free = model::ByteCount(999'999'999);
  EXPECT_EQ(finding_of(machine, "open_files").state, FindingState::limited);
  EXPECT_EQ(finding_of(machine, "disk").state, FindingState::limited);
}

}  // namespace
}  // namespace trainwright::cli
