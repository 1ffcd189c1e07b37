// SPDX-License-Identifier: Apache-2.0
#include "cli/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>

#include "model/base/error.hpp"

namespace trainwright::cli {
namespace {

std::string error_text(int number) {
  return std::strerror(number);
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw model::EnvironmentError("cannot make a pipe: " + error_text(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& fd) {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }
};

/// In the child, between fork and exec, where only async-signal-safe calls are allowed. Reports a failure through
/// `failure` and never returns.
[[noreturn]] void become(const char* program, char* const* arguments, int output, int failure, pid_t parent) {
  ::setpgid(0, 0);
  // Asked for after fork, so it must be checked that the parent has not ended in between.
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && ::getppid() == parent && ::dup2(output, STDOUT_FILENO) >= 0) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
      ::sigaction(number, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);  // an interrupt that came meanwhile now ends the child
    ::execv(program, arguments);
  }
  const int error = errno;
  static_cast<void>(!::write(failure, &error, sizeof error));
  ::_exit(127);
}

/// Readable once the process has ended.
struct ProcessEnd {
  int fd;
  explicit ProcessEnd(pid_t pid)
      : fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
  }  // -1, an old kernel: poll then looks at the pipe alone
  ProcessEnd(const ProcessEnd&) = delete;
  ProcessEnd& operator=(const ProcessEnd&) = delete;
  ~ProcessEnd() {
    if (fd >= 0)
      ::close(fd);
  }
};

/// The child starts with every signal blocked: this program's handlers must not run in it.
pid_t fork_without_signals() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0)
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

/// A signal may only go to a child that has not been waited for: its number may be another process's afterwards.
class Signaller {
 public:
  explicit Signaller(pid_t pid) : pid_(pid) {}
  void interrupt() {
    const std::lock_guard lock(mutex_);
    if (pid_ > 0)
      ::kill(pid_, SIGINT);
  }
  int wait() {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    const std::lock_guard lock(mutex_);
    ::kill(-pid_, SIGKILL);  // whatever of its group outlived it; the number is still ours
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

 private:
  std::mutex mutex_;
  pid_t pid_;
};

/// Lines of `fd` until its end or, where something the child started still holds it open, until the child has ended.
void read_lines(int fd, int child, const std::function<void(const std::string&)>& on_line) {
  std::string pending;
  std::array<char, 4096> buffer{};
  std::array<pollfd, 2> waits{{{fd, POLLIN, 0}, {child, POLLIN, 0}}};
  while (true) {
    if (::poll(waits.data(), waits.size(), -1) < 0) {
      if (errno == EINTR)
        continue;
      break;
    }
    if (waits[0].revents == 0)
      break;  // nothing left to read, and the child has ended
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', begin)) {
      on_line(pending.substr(begin, end - begin));
      begin = end + 1;
    }
    pending.erase(0, begin);
  }
  if (!pending.empty())
    on_line(pending);
}

}  // namespace

std::filesystem::path sibling_program(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw model::EnvironmentError("cannot find out where this program is: " + error.message());
  std::filesystem::path program = self.parent_path() / name;
  if (::access(program.c_str(), X_OK) != 0)
    throw model::EnvironmentError(program.string() + " cannot be started: " + error_text(errno),
                                  "build or install it beside trainwright");
  return program;
}

ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      std::stop_token stop, const std::function<void(const std::string&)>& on_line) {
  Pipe output;
  Pipe failure;
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = fork_without_signals();
  if (pid < 0)
    throw model::EnvironmentError("cannot start " + program.string() + ": " + error_text(errno));
  if (pid == 0)
    become(argv[0], argv.data(), output.write_end, failure.write_end, parent);
  Pipe::close_end(output.write_end);
  Pipe::close_end(failure.write_end);
  Signaller child(pid);
  int start_error = 0;
  ssize_t count = 0;
  while ((count = ::read(failure.read_end, &start_error, sizeof start_error)) < 0 && errno == EINTR) {
  }
  if (count == sizeof start_error) {
    child.wait();
    throw model::EnvironmentError("cannot start " + program.string() + ": " + error_text(start_error));
  }
  const ProcessEnd child_end(pid);
  int status = 0;
  {
    const std::stop_callback forward(stop, [&child] { child.interrupt(); });
    try {
      read_lines(output.read_end, child_end.fd, on_line);
    } catch (...) {
      // The reader failed (standard output closed): the child must not go on alone.
      child.interrupt();
      Pipe::close_end(output.read_end);
      child.wait();
      throw;
    }
    status = child.wait();
  }
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), true};
  return {WEXITSTATUS(status), false};
}

}  // namespace trainwright::cli
