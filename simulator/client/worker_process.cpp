// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "model/base/error.hpp"

extern char** environ;

namespace trainwright::simulator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kWorkerName = "trainwright-simulate";
constexpr std::string_view kProgressWord = "progress ";
constexpr std::size_t kMostErrorText = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& what) {
  throw model::EnvironmentError(what + ": " + std::strerror(errno));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

struct Channel {
  FileDescriptor ours;
  FileDescriptor theirs;
};

// A socket, not a pipe: writing to a worker that has died must be an error code here, not a signal.
Channel make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail("cannot make a channel to the simulation worker");
  Channel channel{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  fcntl(channel.ours.get(), F_SETFL, O_NONBLOCK);
  return channel;
}

// The child, killed and reaped if left alive.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      (void)reap();
    }
  }
  void kill() const { ::kill(pid_, SIGKILL); }
  int reap() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
};

pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const std::array<int, 3>& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i)
    posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(i)], i);
  // Signals that the caller blocks or ignores are the worker's business again.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw model::EnvironmentError("cannot start " + program.string() + ": " + std::strerror(error));
  return pid;
}

// Takes finished lines of progress out of the worker's standard error; the rest is kept.
class ErrorText {
 public:
  explicit ErrorText(const std::function<void(double)>& progress) : progress_(progress) {}
  void add(std::string_view text) {
    pending_ += text;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
      line(std::string_view(pending_).substr(0, end + 1));
      pending_.erase(0, end + 1);
    }
  }
  std::string finish() {
    if (!pending_.empty())
      line(pending_);
    return std::move(kept_);
  }

 private:
  void line(std::string_view text) {
    if (text.substr(0, kProgressWord.size()) != kProgressWord) {
      if (kept_.size() < kMostErrorText)
        kept_ += text;
      return;
    }
    double fraction = 0.0;
    const std::string_view number = text.substr(kProgressWord.size());
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), fraction);
    if (error == std::errc() && progress_)
      progress_(fraction);
  }

  const std::function<void(double)>& progress_;
  std::string pending_;
  std::string kept_;
};

int milliseconds_left(const std::optional<Clock::time_point>& deadline) {
  if (!deadline)
    return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

// Reads what there is; false at the end of the stream.
template <class Sink>
bool drain(int fd, Sink sink) {
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0)
      sink(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    else if (count == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
}

}  // namespace

WorkerRun run_worker(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                     const std::string& input, std::stop_token stop, const WorkerOptions& options) {
  Channel in = make_channel();
  Channel out = make_channel();
  Channel err = make_channel();
  FileDescriptor stop_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_event.is_open())
    fail("cannot make an event");
  std::optional<Clock::time_point> deadline;
  if (options.timeout)
    deadline = Clock::now() + *options.timeout;
  Child child(spawn(program, arguments, {in.theirs.get(), out.theirs.get(), err.theirs.get()}));
  in.theirs.close();
  out.theirs.close();
  err.theirs.close();
  const std::stop_callback on_stop(stop, [&] {
    const std::uint64_t one = 1;
    (void)!::write(stop_event.get(), &one, sizeof one);
  });

  WorkerRun run;
  ErrorText errors(options.progress);
  std::size_t written = 0;
  const auto abandon = [&](WorkerRun::End end) {
    child.kill();
    (void)child.reap();
    run.end = end;
    run.errors = errors.finish();
    return run;
  };
  while (out.ours.is_open() || err.ours.is_open()) {
    if (in.ours.is_open() && written == input.size())
      in.ours.close();
    std::array<pollfd, 4> polls{{{in.ours.get(), POLLOUT, 0},
                                 {out.ours.get(), POLLIN, 0},
                                 {err.ours.get(), POLLIN, 0},
                                 {stop_event.get(), POLLIN, 0}}};
    const int ready = ::poll(polls.data(), polls.size(), milliseconds_left(deadline));
    if (ready < 0 && errno != EINTR)
      fail("cannot wait for the simulation worker");
    if (stop.stop_requested())
      return abandon(WorkerRun::End::stopped);
    if (deadline && Clock::now() >= *deadline)
      return abandon(WorkerRun::End::timed_out);
    if (ready <= 0)
      continue;
    if (polls[0].revents != 0) {
      const ssize_t count = ::send(in.ours.get(), input.data() + written, input.size() - written, MSG_NOSIGNAL);
      if (count > 0)
        written += static_cast<std::size_t>(count);
      else if (count < 0 && errno != EAGAIN && errno != EINTR)
        in.ours.close();  // the worker does not want the rest; its exit code says why
    }
    if (polls[1].revents != 0 && !drain(out.ours.get(), [&](std::string_view text) { run.output += text; }))
      out.ours.close();
    if (polls[2].revents != 0 && !drain(err.ours.get(), [&](std::string_view text) { errors.add(text); }))
      err.ours.close();
  }
  const int status = child.reap();
  run.end = WIFEXITED(status) ? WorkerRun::End::exited : WorkerRun::End::killed_by_signal;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  run.errors = errors.finish();
  return run;
}

std::filesystem::path find_simulation_worker() {
  std::filesystem::path worker;
  if (const char* named = std::getenv("TRAINWRIGHT_SIMULATE"); named != nullptr && *named != '\0') {
    worker = named;
  } else {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    worker = self.parent_path() / kWorkerName;
  }
  if (::access(worker.c_str(), X_OK) != 0)
    throw model::EnvironmentError("no simulation worker at " + worker.string(),
                                  "build with SimGrid (libsimgrid-dev), or name the program in TRAINWRIGHT_SIMULATE");
  return worker;
}

}  // namespace trainwright::simulator
