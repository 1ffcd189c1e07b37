// The command itself, in a process of its own: a whole short run, an interrupt, a kill, refused options.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "executor/measurement/measure_main.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"

namespace trainwright::executor {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::path(::testing::TempDir()) / "trainwright_measure_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The command in a forked process that leads a process group, its standard output in a pipe.
class Command {
 public:
  explicit Command(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ == 0) {
      setpgid(0, 0);
      dup2(ends[1], STDOUT_FILENO);
      words.insert(words.begin(), "measure");
      std::vector<char*> arguments;
      for (std::string& word : words)
        arguments.push_back(word.data());
      _exit(measure_main(static_cast<int>(arguments.size()), arguments.data()));
    }
    setpgid(pid_, pid_);
    close(ends[1]);
    output_ = ends[0];
  }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command() {
    kill(-pid_, SIGKILL);
    close(output_);
  }

  /// Reads output until `text` has come; false at its end.
  bool wait_for(const std::string& text) {
    while (seen_.find(text) == std::string::npos) {
      std::array<char, 4096> buffer{};
      const ssize_t size = read(output_, buffer.data(), buffer.size());
      if (size <= 0)
        return false;
      seen_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return true;
  }
  void signal(int number) const { kill(pid_, number); }

  /// Waits for its end; the exit code, or minus the signal.
  int finish() {
    while (wait_for("no such text")) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  /// Whether any process of the group is left.
  [[nodiscard]] bool group_is_gone() const { return kill(-pid_, 0) == -1 && errno == ESRCH; }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string seen_;
};

std::optional<model::Measurement> read(const fs::path& file) {
  model::Diagnostics diagnostics;
  const std::string text = model::read_file(file, diagnostics);
  auto measurement = model::measurement_from_json(text, file.string(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_text();
  return measurement;
}

TEST(MeasureCommand, WritesAWholeMeasurement) {
  const TemporaryFolder folder;
  Command command({"--quick", "--budget", "4", "--nproc", "2", "--run-dir", folder.path(), "--out",
                   (folder.path() / "m.json").string()});
  EXPECT_EQ(command.finish(), 0);
  EXPECT_THAT(command.seen(), HasSubstr(R"({"event":"progress","done":)"));
  EXPECT_THAT(command.seen(), HasSubstr(R"({"event":"finished",)"));
  const auto measurement = read(folder.path() / "m.json");
  ASSERT_TRUE(measurement);
  EXPECT_FALSE(measurement->partial);
  EXPECT_EQ(measurement->environment.backend, "gloo");
  EXPECT_GT(measurement->environment.cores, 0);
  EXPECT_THAT(measurement->notes, Contains(HasSubstr("storage:")));
  // Nothing but the measurement is left in the folder.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(MeasureCommand, AnInterruptWritesAPartialMeasurementAndLeavesNoProcess) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "m.json";
  Command command({"--nproc", "2", "--budget", "600", "--run-dir", folder.path(), "--out", out.string()});
  ASSERT_TRUE(command.wait_for("progress"));
  command.signal(SIGINT);
  EXPECT_EQ(command.finish(), 1);
  EXPECT_TRUE(command.group_is_gone());
  const auto measurement = read(out);
  ASSERT_TRUE(measurement);
  EXPECT_TRUE(measurement->partial);
  EXPECT_THAT(measurement->notes, Contains("interrupted by signal 2"));
}

TEST(MeasureCommand, RanksDieWithIt) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "m.json";
  Command command({"--nproc", "2", "--budget", "600", "--run-dir", folder.path(), "--out", out.string()});
  ASSERT_TRUE(command.wait_for("progress"));
  command.signal(SIGKILL);
  // The pipe ends when the last process that could write into it is gone.
  EXPECT_EQ(command.finish(), -SIGKILL);
  EXPECT_FALSE(fs::exists(out));
}

TEST(MeasureCommand, RefusesFoldersThatAreNone) {
  EXPECT_EQ(Command({"--run-dir", "/dev/null/run"}).finish(), 2);
  EXPECT_EQ(Command({"--out", "/nonexistent/m.json"}).finish(), 2);
}

TEST(MeasureCommand, RefusesMoreRanksThanTheMachineCanRun) {
  EXPECT_EQ(Command({"--nproc", "1024"}).finish(), 3);
}

TEST(MeasureCommand, ExplainsItself) {
  Command command({"--help"});
  EXPECT_EQ(command.finish(), 0);
  EXPECT_THAT(command.seen(), HasSubstr("--budget S"));
}

}  // namespace
}  // namespace trainwright::executor
