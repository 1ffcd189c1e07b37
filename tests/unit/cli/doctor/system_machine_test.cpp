// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/system_machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "cli/doctor/doctor.hpp"

namespace trainwright::cli {
namespace {

class FakeRoot : public testing::Test {
 protected:
  FakeRoot() : root_(std::filesystem::temp_directory_path() / ("trainwright_root_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_);
  }
  ~FakeRoot() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }

  std::filesystem::path root_;
};

TEST_F(FakeRoot, IsReadInPlaceOfTheMachine) {
  write("proc/driver/nvidia/gpus/0000:04:00.0/information", "Model:  NVIDIA L4\n");
  write("proc/driver/nvidia/gpus/0000:05:00.0/information", "Model:  NVIDIA L4\n");
  const SystemMachine machine(root_);
  EXPECT_EQ(machine.list_folder("/proc/driver/nvidia/gpus"),
            (std::vector<std::string>{"0000:04:00.0", "0000:05:00.0"}));
  EXPECT_EQ(machine.read_file("/proc/driver/nvidia/gpus/0000:04:00.0/information"), "Model:  NVIDIA L4\n");
  EXPECT_EQ(machine.read_file("/proc/driver/nvidia/gpus"), std::nullopt) << "a folder";
  EXPECT_EQ(machine.read_file("/proc/none"), std::nullopt);
  EXPECT_EQ(machine.list_folder("/proc/none"), std::vector<std::string>{});
}

TEST(SystemMachine, ReturnsWhatAProgramPrints) {
  const SystemMachine machine;
  EXPECT_EQ(machine.output_of({"/bin/sh", "-c", "echo words; echo noise >&2"}), "words\n");
  EXPECT_EQ(machine.output_of({"/bin/sh", "-c", "echo words; exit 3"}), std::nullopt);
  EXPECT_EQ(machine.output_of({"/nowhere/program"}), std::nullopt);
  EXPECT_EQ(machine.output_of({}), std::nullopt);
}

TEST(SystemMachine, DoesNotWaitForAProgramThatHangs) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(SystemMachine("/", std::chrono::milliseconds(20)).output_of({"/bin/sh", "-c", "exec sleep 60"}),
            std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(SystemMachine, FindsProgramsBesideItsOwnFirst) {
  const std::string own = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(SystemMachine().find_program(std::filesystem::path(own).filename().string()), own);
  EXPECT_NE(SystemMachine().find_program("sh"), std::nullopt);
  EXPECT_EQ(SystemMachine().find_program("no-such-program-anywhere"), std::nullopt);
}

TEST(SystemMachine, KnowsSpaceCoresAndLimits) {
  const SystemMachine machine;
  const std::optional<DiskSpace> space = machine.disk_space(".");
  ASSERT_TRUE(space);
  EXPECT_GT(space->total.count(), 0);
  EXPECT_LE(space->free, space->total);
  EXPECT_EQ(machine.disk_space("/no/such/folder"), std::nullopt);
  EXPECT_GE(machine.affinity_cores(), 1);
  EXPECT_GT(machine.limit(ProcessLimit::open_files).value_or(1), 0U);
}

TEST(SystemMachine, IsExaminedWithoutTrouble) {
  const DoctorReport report = examine_machine(SystemMachine());
  EXPECT_GE(report.cores_allowed, 1);
  EXPECT_GT(report.memory_allowed.count(), 0);
  EXPECT_EQ(report.abilities.front().id, "plan");
  EXPECT_TRUE(report.abilities.front().is_possible());
}

}  // namespace
}  // namespace trainwright::cli
