// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/nccl_hub.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <span>

#include "executor/rendezvous/socket.hpp"
#include "model/base/error.hpp"

namespace trainwright::test {
namespace {

constexpr std::chrono::seconds kSending{5};

template <class T>
std::span<const char> bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
T value_at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

NcclHub::NcclHub() : listener_(executor::listen_on({})), port_(executor::port_of(listener_)) {
  if (::pipe(wake_) != 0)
    throw model::EnvironmentError("no pipe for the hub");
  thread_ = std::thread([this] { serve(); });
}

NcclHub::~NcclHub() {
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
}

void NcclHub::serve() {
  while (true) {
    std::vector<pollfd> entries{{wake_[0], POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const auto& guest : guests_)
      entries.push_back({guest->socket.get(), POLLIN, 0});
    ::poll(entries.data(), entries.size(), -1);
    if (entries[0].revents != 0)
      return;
    for (std::size_t i = 0; i < guests_.size(); ++i)
      if (entries[i + 2].revents != 0)
        read(*guests_[i]);
    std::erase_if(guests_, [](const auto& guest) { return !guest->socket.is_open(); });
    if (entries[1].revents != 0) {
      auto guest = std::make_unique<Guest>();
      guest->socket =
          executor::FileDescriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (guest->socket.is_open())
        guests_.push_back(std::move(guest));
    }
  }
}

void NcclHub::read(Guest& guest) {
  std::array<char, 65536> chunk{};
  while (true) {
    const ssize_t got = ::recv(guest.socket.get(), chunk.data(), chunk.size(), 0);
    if (got > 0) {
      guest.bytes.append(chunk.data(), static_cast<std::size_t>(got));
      continue;
    }
    take_questions(guest);
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
      lose(guest);
    return;
  }
}

void NcclHub::take_questions(Guest& guest) {
  if (!guest.is_known) {
    if (guest.bytes.size() < sizeof(NcclHello))
      return;
    guest.hello = value_at<NcclHello>(guest.bytes, 0);
    guest.bytes.erase(0, sizeof(NcclHello));
    guest.is_known = true;
    const std::uint32_t number = guest.hello.room;
    if (++arrived_[number] == guest.hello.size) {
      rooms_.emplace(number, NcclRoom(guest.hello.size, [this] { return new_room(); }));
      for (int member = 0; member < guest.hello.size; ++member)
        if (Guest* one = guest_of(number, member))
          executor::send_all(one->socket, bytes_of(NcclReply{}), std::chrono::steady_clock::now() + kSending);
    }
  }
  while (guest.bytes.size() >= sizeof(NcclRequest)) {
    NcclQuestion question;
    question.request = value_at<NcclRequest>(guest.bytes, 0);
    const std::size_t parts = question.request.parts * sizeof(NcclPart);
    const std::size_t whole = sizeof(NcclRequest) + parts + question.request.payload;
    if (guest.bytes.size() < whole)
      return;
    for (std::uint32_t i = 0; i < question.request.parts; ++i)
      question.parts.push_back(value_at<NcclPart>(guest.bytes, sizeof(NcclRequest) + i * sizeof(NcclPart)));
    question.values.resize(question.request.payload / sizeof(float));
    if (!question.values.empty())
      std::memcpy(question.values.data(), guest.bytes.data() + sizeof(NcclRequest) + parts, question.request.payload);
    guest.bytes.erase(0, whole);
    guest.said_goodbye = question.request.op == NcclOp::goodbye;
    const auto room = rooms_.find(guest.hello.room);
    if (room == rooms_.end())
      return lose(guest);
    room->second.ask(guest.hello.rank, std::move(question));
    answer(guest.hello.room);
  }
}

void NcclHub::lose(Guest& guest) {
  guest.socket = executor::FileDescriptor();
  const auto room = rooms_.find(guest.hello.room);
  if (!guest.is_known || guest.said_goodbye || room == rooms_.end())
    return;
  room->second.lose(guest.hello.rank);
  answer(guest.hello.room);
}

void NcclHub::answer(std::uint32_t number) {
  NcclRoom& room = rooms_.at(number);
  const auto answers = room.answers();
  for (std::size_t member = 0; member < answers.size(); ++member) {
    Guest* guest = answers[member] ? guest_of(number, static_cast<int>(member)) : nullptr;
    if (guest == nullptr)
      continue;
    NcclReply reply = answers[member]->reply;
    const auto values = std::as_bytes(std::span(answers[member]->values));
    const std::string text = answers[member]->text;
    reply.payload = values.size() + text.size();
    const auto deadline = std::chrono::steady_clock::now() + kSending;
    try {
      executor::send_all(guest->socket, bytes_of(reply), deadline);
      executor::send_all(guest->socket, {reinterpret_cast<const char*>(values.data()), values.size()}, deadline);
      executor::send_all(guest->socket, text, deadline);
    } catch (const model::EnvironmentError&) {
      guest->said_goodbye = false;  // gone: its socket will say so
    }
  }
}

NcclHub::Guest* NcclHub::guest_of(std::uint32_t room, int member) {
  for (const auto& guest : guests_)
    if (guest->is_known && guest->hello.room == room && guest->hello.rank == member && guest->socket.is_open())
      return guest.get();
  return nullptr;
}

}  // namespace trainwright::test
