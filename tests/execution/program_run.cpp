// SPDX-License-Identifier: Apache-2.0
#include "tests/execution/program_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace trainwright::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "trainwright-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ProgramRun::ProgramRun(const std::string& program, std::vector<std::string> arguments,
                       const std::vector<std::pair<std::string, std::string>>& environment) {
  executor::Pipe pipe = executor::make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe.write_end.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder_.path() / "errors").c_str(), O_WRONLY | O_CREAT,
                                     0644);
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment)
    variables.push_back(name + "=" + value);
  std::vector<char*> environment_pointers;
  for (std::string& variable : variables)
    environment_pointers.push_back(variable.data());
  for (char** entry = environ; *entry != nullptr; ++entry)
    environment_pointers.push_back(*entry);
  environment_pointers.push_back(nullptr);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argument_pointers;
  for (std::string& argument : arguments)
    argument_pointers.push_back(argument.data());
  argument_pointers.push_back(nullptr);
  const int error =
      ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, argument_pointers.data(), environment_pointers.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error(program + ": " + executor::error_text(error));
  output_pipe_ = std::move(pipe.read_end);
}

ProgramRun::~ProgramRun() {
  if (!status_) {
    ::kill(pid_, SIGKILL);
    reap(0);
  }
}

bool ProgramRun::read_some(milliseconds limit) {
  pollfd entry{output_pipe_.get(), POLLIN, 0};
  if (::poll(&entry, 1, static_cast<int>(limit.count())) <= 0)
    return true;  // nothing yet
  std::array<char, 4096> chunk{};
  const ssize_t got = ::read(output_pipe_.get(), chunk.data(), chunk.size());
  if (got > 0)
    output_.append(chunk.data(), static_cast<std::size_t>(got));
  return got != 0;
}

bool ProgramRun::wait_for_line(const std::string& text, std::chrono::seconds limit) {
  const auto deadline = steady_clock::now() + limit;
  bool open = true;
  while (true) {
    const std::size_t place = output_.find(text);
    if (place != std::string::npos && output_.find('\n', place) != std::string::npos)
      return true;
    if (!open || steady_clock::now() > deadline)
      return false;
    open = read_some(milliseconds(100));
  }
}

void ProgramRun::signal(int number) const {
  ::kill(pid_, number);
}

std::optional<int> ProgramRun::reap(int options) {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, options) == pid_)
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return status_;
}

// Standard output ends with the program, and with everything that inherited it.
std::optional<int> ProgramRun::wait(std::chrono::seconds limit) {
  const auto deadline = steady_clock::now() + limit;
  for (bool open = output_pipe_.is_open(); steady_clock::now() < deadline;) {
    if (open)
      open = read_some(milliseconds(50));
    if (reap(WNOHANG) && !open)
      return status_;
    if (!open)
      ::poll(nullptr, 0, 10);
  }
  ::kill(pid_, SIGKILL);
  reap(0);
  return std::nullopt;
}

std::string ProgramRun::errors() const {
  return file_text(folder_.path() / "errors");
}

std::vector<pid_t> processes_with(const std::vector<std::string>& words) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size() || pid == ::getpid())
      continue;
    std::string command = file_text(entry.path() / "cmdline");  // empty for a process that has ended
    std::replace(command.begin(), command.end(), '\0', ' ');
    command = " " + command + " ";
    if (std::all_of(words.begin(), words.end(),
                    [&](const std::string& word) { return command.find(" " + word + " ") != std::string::npos; }))
      found.push_back(pid);
  }
  return found;
}

}  // namespace trainwright::test
