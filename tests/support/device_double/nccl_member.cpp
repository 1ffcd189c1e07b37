// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/nccl_member.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "executor/cuda/device_api.hpp"
#include "executor/rendezvous/socket.hpp"
#include "model/base/error.hpp"

namespace trainwright::test {
namespace {

constexpr int kLook = 10;  // milliseconds between looks at whether it was aborted

}  // namespace

NcclMember::~NcclMember() {
  aborted_ = true;
  if (background_.joinable())
    background_.join();
}

std::string NcclMember::words() const {
  const std::lock_guard lock(words_mutex_);
  return words_;
}

void NcclMember::run_in_background(std::function<void()> work) {
  state_ = executor::kNcclInProgress;
  if (background_.joinable())
    background_.join();
  background_ = std::thread(std::move(work));
}

void NcclMember::enter(std::uint16_t port, const NcclHello& hello) {
  port_ = port;
  hello_ = hello;
  run_in_background([this] {
    try {
      socket_ = executor::connect_to({"127.0.0.1", port_}, std::chrono::steady_clock::now() + std::chrono::seconds(5));
      executor::send_all(socket_, {reinterpret_cast<const char*>(&hello_), sizeof hello_},
                         std::chrono::steady_clock::now() + std::chrono::seconds(5));
      NcclReply welcome;
      if (receive(reinterpret_cast<char*>(&welcome), sizeof welcome))
        state_ = 0;
      else if (!aborted_)
        fail(executor::kNcclRemoteError, "the bootstrap was closed");
    } catch (const model::EnvironmentError& error) {
      fail(executor::kNcclRemoteError, error.what());
    }
  });
}

bool NcclMember::receive(char* data, std::size_t size) {
  while (size > 0) {
    if (aborted_)
      return false;
    pollfd entry{socket_.get(), POLLIN, 0};
    if (::poll(&entry, 1, kLook) <= 0)
      continue;
    const ssize_t got = ::recv(socket_.get(), data, size, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
      return false;
    data += std::max<ssize_t>(got, 0);
    size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  return true;
}

bool NcclMember::ask(const NcclQuestion& question, NcclAnswer& answer) {
  const std::lock_guard lock(asking_);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  NcclRequest request = question.request;
  request.parts = static_cast<std::uint32_t>(question.parts.size());
  request.payload = question.values.size() * sizeof(float);
  try {
    executor::send_all(socket_, {reinterpret_cast<const char*>(&request), sizeof request}, deadline);
    executor::send_all(socket_,
                       {reinterpret_cast<const char*>(question.parts.data()), question.parts.size() * sizeof(NcclPart)},
                       deadline);
    executor::send_all(socket_, {reinterpret_cast<const char*>(question.values.data()), request.payload}, deadline);
  } catch (const model::EnvironmentError&) {
    fail(executor::kNcclRemoteError, "the connection was closed");
    hang();
    return false;
  }
  if (!receive(reinterpret_cast<char*>(&answer.reply), sizeof answer.reply)) {
    fail(executor::kNcclRemoteError, "the connection was closed");
    hang();
    return false;
  }
  if (answer.reply.code != 0) {
    std::string words(answer.reply.payload, '\0');
    static_cast<void>(receive(words.data(), words.size()));
    fail(answer.reply.code, words);
    hang();
    return false;
  }
  answer.values.resize(answer.reply.payload / sizeof(float));
  return receive(reinterpret_cast<char*>(answer.values.data()), answer.reply.payload);
}

void NcclMember::hang() {
  while (!aborted_)
    std::this_thread::sleep_for(std::chrono::milliseconds(kLook));
}

void NcclMember::fail(int code, const std::string& words) {
  if (aborted_)
    return;
  {
    const std::lock_guard lock(words_mutex_);
    words_ = words;
  }
  state_ = code;
}

void NcclMember::settle() {
  int in_progress = executor::kNcclInProgress;
  state_.compare_exchange_strong(in_progress, 0);
}

void NcclMember::abort() {
  aborted_ = true;
}

}  // namespace trainwright::test
