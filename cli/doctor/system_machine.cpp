// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/system_machine.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace trainwright::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Everything a child writes until it closes the pipe; empty when the time is over first.
std::optional<std::string> read_until(int fd, Clock::time_point deadline) {
  std::string text;
  std::array<char, 4096> chunk{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{fd, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return std::nullopt;
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0)
      return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::optional<pid_t> start(const std::vector<std::string>& command, int standard_output) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0)
    return std::nullopt;
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, standard_output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int problem = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    return std::nullopt;
  return child;
}

// The child's status once it has ended; empty when the time is over first (a driver that hangs holds even a killed
// one).
std::optional<int> wait_until(pid_t child, Clock::time_point deadline) {
  while (true) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child)
      return status;
    if ((ended < 0 && errno != EINTR) || Clock::now() >= deadline)
      return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

fs::path SystemMachine::under_root(std::string_view path) const {
  return root_ / fs::path(path).relative_path();
}

std::optional<std::string> SystemMachine::read_file(std::string_view path) const {
  std::error_code ignored;
  std::ifstream stream(under_root(path), std::ios::binary);
  if (!stream || std::filesystem::is_directory(under_root(path), ignored))
    return std::nullopt;
  std::ostringstream content;
  content << stream.rdbuf();  // unlike an iterator, this does not throw for entries of /proc that refuse to be read
  return content.str();
}

std::vector<std::string> SystemMachine::list_folder(std::string_view path) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(under_root(path), error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> SystemMachine::environment(std::string_view name) const {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::string> SystemMachine::find_program(std::string_view name) const {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error);
  if (!error && is_program(own.parent_path() / name))
    return (own.parent_path() / name).string();
  const std::string folders = environment("PATH").value_or("");
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path candidate = fs::path(folders.substr(begin, end - begin)) / name;
    if (candidate.is_absolute() && is_program(candidate))
      return candidate.string();
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> SystemMachine::output_of(const std::vector<std::string>& command) const {
  std::array<int, 2> pipe{-1, -1};
  if (command.empty() || ::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return std::nullopt;
  const std::optional<pid_t> child = start(command, pipe[1]);
  ::close(pipe[1]);
  std::optional<std::string> text;
  if (child) {
    const Clock::time_point deadline = Clock::now() + patience_;
    text = read_until(pipe[0], deadline);
    std::optional<int> status = text ? wait_until(*child, deadline) : std::nullopt;
    if (!status) {
      ::kill(*child, SIGKILL);
      status = wait_until(*child, Clock::now() + std::chrono::seconds(1));
    }
    if (!status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0)
      text.reset();
  }
  ::close(pipe[0]);
  return text;
}

int SystemMachine::affinity_cores() const {
  // Machines with more than 1024 cores need a larger set than the default one.
  constexpr int kLargestMachine = 1 << 16;
  cpu_set_t* const set = CPU_ALLOC(kLargestMachine);
  if (set == nullptr)
    return 1;
  const std::size_t size = CPU_ALLOC_SIZE(kLargestMachine);
  CPU_ZERO_S(size, set);
  const int cores = ::sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 1;
  CPU_FREE(set);
  return cores;
}

std::optional<DiskSpace> SystemMachine::disk_space(std::string_view path) const {
  struct statvfs info {};
  if (::statvfs(std::string(path).c_str(), &info) != 0)
    return std::nullopt;
  const auto bytes = [&](fsblkcnt_t blocks) {
    return model::ByteCount(static_cast<std::int64_t>(blocks) * static_cast<std::int64_t>(info.f_frsize));
  };
  return DiskSpace{bytes(info.f_blocks), bytes(info.f_bavail)};
}

std::optional<std::uint64_t> SystemMachine::limit(ProcessLimit limit) const {
  rlimit value{};
  int problem = 0;
  switch (limit) {
    case ProcessLimit::open_files:
      problem = ::getrlimit(RLIMIT_NOFILE, &value);
      break;
    case ProcessLimit::locked_memory:
      problem = ::getrlimit(RLIMIT_MEMLOCK, &value);
      break;
    case ProcessLimit::processes:
      problem = ::getrlimit(RLIMIT_NPROC, &value);
      break;
  }
  if (problem != 0 || value.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return value.rlim_cur;
}

bool SystemMachine::is_root() const {
  return ::geteuid() == 0;
}

}  // namespace trainwright::cli
