// SPDX-License-Identifier: Apache-2.0
#include "model/io/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "model/base/error.hpp"

namespace trainwright::model {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "trainwright-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(FileTest, ReadsBackWhatWasWritten) {
  write_file_atomically(folder_ / "a", "one");
  write_file_atomically(folder_ / "a", "two");
  Diagnostics diagnostics;
  EXPECT_EQ(read_file(folder_ / "a", diagnostics), "two");
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(FileTest, LeavesNoTemporaryFile) {
  write_file_atomically(folder_ / "a", "one");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

// As root, a temporary file beside a device could be renamed over it.
TEST_F(FileTest, WritesToADeviceAndLeavesItADevice) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_file_atomically(pipe, "one");
  std::array<char, 8> got{};
  EXPECT_EQ(::read(reader, got.data(), got.size()), 3);
  ::close(reader);
  EXPECT_EQ(std::string(got.data()), "one");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(FileTest, ReplacesTheFileThatALinkLeadsTo) {
  write_file_atomically(folder_ / "a", "one");
  std::filesystem::create_symlink(folder_ / "a", folder_ / "link");
  write_file_atomically(folder_ / "link", "two");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  Diagnostics diagnostics;
  EXPECT_EQ(read_file(folder_ / "a", diagnostics), "two");
}

TEST_F(FileTest, SaysWhyAFileCannotBeRead) {
  Diagnostics diagnostics;
  EXPECT_EQ(read_file(folder_ / "none", diagnostics), "");
  EXPECT_EQ(read_file(folder_, diagnostics), "");
  EXPECT_EQ(diagnostics.to_text(), (folder_ / "none").string() + ": cannot be opened: No such file or directory\n" +
                                       folder_.string() + ": is a folder; a file is needed\n");
}

TEST_F(FileTest, MissingFolderIsAnEnvironmentError) {
  EXPECT_THROW(write_file_atomically(folder_ / "no" / "a", "x"), EnvironmentError);
}

TEST_F(FileTest, FullDiskKeepsTheOldFile) {
  // /dev/full refuses every write; through a link the temporary file is created beside the link's target name.
  std::filesystem::create_symlink("/dev/full", folder_ / ("a.tmp." + std::to_string(::getpid())));
  write_file_atomically(folder_ / "b", "old");
  std::filesystem::rename(folder_ / "b", folder_ / "a");
  EXPECT_THROW(write_file_atomically(folder_ / "a", "new"), EnvironmentError);
  Diagnostics diagnostics;
  EXPECT_EQ(read_file(folder_ / "a", diagnostics), "old");
}

}  // namespace
}  // namespace trainwright::model
