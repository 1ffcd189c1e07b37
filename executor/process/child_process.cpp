// SPDX-License-Identifier: Apache-2.0
#include "executor/process/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "executor/process/file_descriptor.hpp"
#include "model/base/error.hpp"

extern char** environ;  // NOLINT: POSIX gives it no header

namespace trainwright::executor {
namespace {

void check(int result, const std::string& what) {
  if (result != 0)
    throw model::EnvironmentError(what + ": " + error_text(result));
}

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init"); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() { check(::posix_spawnattr_init(&attributes_), "posix_spawnattr_init"); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (std::none_of(extra.begin(), extra.end(), [&](const auto& e) { return e.first == name; }))
      merged.push_back(text);
  }
  for (const auto& [name, value] : extra)
    merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

pid_t start_process(const ChildOptions& options) {
  FileActions actions;
  check(::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0), "/dev/null");
  check(::posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, options.log.c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0644),
        options.log.string());
  check(::posix_spawn_file_actions_adddup2(actions.get(), STDOUT_FILENO, STDERR_FILENO), "dup2");
  if (options.report_fd >= 0)
    check(::posix_spawn_file_actions_adddup2(actions.get(), options.report_fd, kReportFd), "dup2");

  Attributes attributes;
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::sigdelset(&all, SIGKILL);
  ::sigdelset(&all, SIGSTOP);
  check(::posix_spawnattr_setflags(attributes.get(),
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF),
        "posix_spawnattr_setflags");
  check(::posix_spawnattr_setpgroup(attributes.get(), options.process_group), "posix_spawnattr_setpgroup");
  check(::posix_spawnattr_setsigmask(attributes.get(), &none), "posix_spawnattr_setsigmask");
  check(::posix_spawnattr_setsigdefault(attributes.get(), &all), "posix_spawnattr_setsigdefault");

  std::vector<std::string> arguments = options.arguments;
  arguments.insert(arguments.begin(), options.program.string());
  std::vector<std::string> environment = merged_environment(options.environment);
  pid_t child = -1;
  const int result = ::posix_spawn(&child, options.program.c_str(), actions.get(), attributes.get(),
                                   pointers(arguments).data(), pointers(environment).data());
  check(result, options.program.string() + " cannot be started (log " + options.log.string() + ")");
  return child;
}

std::string describe_exit(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const char* name = ::sigabbrev_np(number);
    return "was killed by signal " + std::to_string(number) + (name != nullptr ? " (" + std::string(name) + ")" : "");
  }
  return "exited with code " + std::to_string(WEXITSTATUS(status));
}

bool die_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return ::getppid() == parent;  // asked after the request: a parent that ended in between is seen here
}

std::string last_lines(const std::filesystem::path& file, int count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in)
    return {};
  constexpr std::streamoff kMaxBytes = 4096;
  const std::streamoff size = in.tellg();
  const std::streamoff take = std::min(size, kMaxBytes);
  std::string text(static_cast<std::size_t>(take), '\0');
  in.seekg(size - take);
  in.read(text.data(), take);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::size_t begin = text.size();
  for (int i = 0; i < count && begin != std::string::npos && begin > 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace trainwright::executor
