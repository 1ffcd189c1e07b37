// SPDX-License-Identifier: Apache-2.0
#include "executor/process/signal_watch.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD})
    ::sigaddset(&set, number);
  return set;
}

}  // namespace

SignalWatch::SignalWatch() {
  const sigset_t set = watched_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  fd_ = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd_.is_open())
    throw model::EnvironmentError("signalfd failed: " + error_text(errno));
}

SignalWatch::~SignalWatch() {
  while (take())
    continue;
  const sigset_t set = watched_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

std::optional<int> SignalWatch::take() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info))
    return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace trainwright::executor
