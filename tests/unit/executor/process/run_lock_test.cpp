// SPDX-License-Identifier: Apache-2.0
#include "executor/process/run_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "executor/process/cores.hpp"
#include "executor/process/memory.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

TEST(RunLock, IsHeldByOneAndFreeAfterwards) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("run-lock-" + std::to_string(::getpid())) / "deep";
  {
    const FileDescriptor held = lock_run_folder(folder);
    try {
      const FileDescriptor second = lock_run_folder(folder);
      FAIL();
    } catch (const model::EnvironmentError& error) {
      EXPECT_EQ(error.what(), folder.string() + ": another run (process " + std::to_string(::getpid()) +
                                  ") is using it; wait for it or choose another --run-dir");
    }
  }
  EXPECT_TRUE(lock_run_folder(folder).is_open());
  std::filesystem::remove_all(folder.parent_path());
}

TEST(RunLock, SaysWhyAFolderCannotBeUsed) {
  EXPECT_THROW(static_cast<void>(lock_run_folder("/dev/null/run")), model::EnvironmentError);
}

TEST(Machine, TellsCoresAndMemory) {
  EXPECT_FALSE(allowed_cores().empty());
  EXPECT_GT(total_memory_bytes(), 0);
  EXPECT_GT(available_memory_bytes(), 0);
  EXPECT_LE(available_memory_bytes(), total_memory_bytes());
  EXPECT_GT(peak_resident_bytes(), 1'000'000);
}

}  // namespace
}  // namespace trainwright::executor
