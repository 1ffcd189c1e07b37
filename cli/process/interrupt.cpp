// SPDX-License-Identifier: Apache-2.0
#include "cli/process/interrupt.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "model/base/error.hpp"

namespace trainwright::cli {
namespace {

// A signal handler may only write to a pipe; the watcher thread does the rest. Handlers, unlike blocked signals, are
// not inherited by the programs that are started.
std::atomic<int> handler_fd{-1};
constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
constexpr char kInterrupted = 'i';
constexpr char kEnd = 'e';

void on_signal(int) {
  const int saved = errno;
  static_cast<void>(!::write(handler_fd.load(), &kInterrupted, 1));
  errno = saved;
}

void set_handler(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw model::EnvironmentError("cannot make a pipe: " + std::string(std::strerror(errno)));
  read_end_ = ends[0];
  write_end_ = ends[1];
  handler_fd = write_end_;
  watcher_ = std::thread([this] { watch(); });
  for (const int number : kSignals)
    set_handler(number, on_signal);
  set_handler(SIGPIPE, SIG_IGN);
}

InterruptWatch::~InterruptWatch() {
  for (const int number : kSignals)
    set_handler(number, SIG_DFL);
  static_cast<void>(!::write(write_end_, &kEnd, 1));
  watcher_.join();
  handler_fd = -1;
  ::close(read_end_);
  ::close(write_end_);
}

void InterruptWatch::watch() {
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(read_end_, &byte, 1);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0 || byte == kEnd)
      return;
    if (!source_.request_stop())
      ::_exit(static_cast<int>(model::ExitCode::answer_is_no));  // asked twice; children die with their parent
  }
}

}  // namespace trainwright::cli
