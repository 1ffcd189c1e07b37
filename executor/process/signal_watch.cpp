// SPDX-License-Identifier: Apache-2.0
#include "executor/process/signal_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

// Where the handler writes to; -1: no watch. A handler has no other way to know.
std::atomic<int> handler_fd{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void note_signal(int number) {
  const int error = errno;
  const auto byte = static_cast<char>(number);
  // A full pipe holds thousands of unread signals: one more tells nothing new.
  [[maybe_unused]] const ssize_t written = ::write(handler_fd.load(), &byte, 1);
  errno = error;
}

}  // namespace

SignalWatch::SignalWatch() : pipe_(make_pipe()) {
  TRAINWRIGHT_EXPECTS(handler_fd == -1, "a second watch");
  if (::fcntl(pipe_.write_end.get(), F_SETFL, O_NONBLOCK) != 0)
    throw model::EnvironmentError("a pipe cannot be set to non-blocking: " + error_text(errno));
  handler_fd = pipe_.write_end.get();
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = kSignals[i] == SIGPIPE ? SIG_IGN : &note_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(kSignals[i], &action, &former_[i]);
  }
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &former_[i], nullptr);
  handler_fd = -1;
}

std::optional<int> SignalWatch::take() {
  char byte = 0;
  if (::read(pipe_.read_end.get(), &byte, 1) != 1)
    return std::nullopt;
  return byte;
}

}  // namespace trainwright::executor
