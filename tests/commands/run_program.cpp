// SPDX-License-Identifier: Apache-2.0
#include "tests/commands/run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace trainwright::testing_support {
namespace {

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    std::abort();
  return ends;
}

/// Reads two pipes to their ends, whichever fills first.
void drain(int out, int err, Outcome& outcome) {
  std::array<pollfd, 2> waits{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
      return;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0)
        continue;
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(waits[i].fd, buffer.data(), buffer.size());
      if (count > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        waits[i].fd = -1;
    }
  }
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& words, const std::filesystem::path& folder,
                               std::string program, StandardOutput output) {
  if (program.empty())
    program = TRAINWRIGHT_PROGRAM;
  const std::array<int, 2> out = make_pipe();
  const std::array<int, 2> err = make_pipe();
  if (output == StandardOutput::broken)
    ::close(out[0]);
  std::vector<std::string> all{program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    if (::chdir(folder.c_str()) == 0)
      ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  out_ = output == StandardOutput::broken ? -1 : out[0];
  err_ = err[0];
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0)
    ::close(out_);
  ::close(err_);
}

void RunningProgram::signal(int number) const {
  ::kill(pid_, number);
}

std::string RunningProgram::read_line() {
  std::string line;
  char byte = 0;
  while (::read(out_, &byte, 1) == 1 && byte != '\n')
    line += byte;
  return line;
}

Outcome RunningProgram::wait() {
  Outcome outcome;
  drain(out_, err_, outcome);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  outcome.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return outcome;
}

void CommandTest::SetUp() {
  std::string pattern = (std::filesystem::temp_directory_path() / "trainwright-commands-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

void CommandTest::TearDown() {
  std::filesystem::remove_all(folder_);
}

Outcome CommandTest::run(const std::vector<std::string>& words) const {
  return RunningProgram(words, folder_).wait();
}

std::string CommandTest::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ / name, std::ios::binary) << content;
  return name;
}

std::string CommandTest::read(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> children_of(pid_t pid) {
  std::ostringstream content;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task"))
    content << std::ifstream(task.path() / "children").rdbuf();
  std::istringstream words(content.str());
  std::vector<std::string> pids;
  for (std::string word; words >> word;)
    pids.push_back(word);
  return pids;
}

}  // namespace trainwright::testing_support
