// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/store_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <list>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "executor/rendezvous/store_protocol.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using Clock = std::chrono::steady_clock;

struct Connection {
  explicit Connection(FileDescriptor s) : socket(std::move(s)) {}
  FileDescriptor socket;
  std::string in;
  std::string out;
  std::optional<Clock::time_point> request_deadline;  ///< while a request is half read
  std::optional<std::string> waiting_key;             ///< a get that cannot be answered yet
  Clock::time_point wait_until;
  bool closing = false;
};

}  // namespace

class StoreServer::Loop {
 public:
  Loop(const Endpoint& endpoint, std::string secret, const StoreLimits& limits)
      : secret_(std::move(secret)), limits_(limits), listener_(listen_on(endpoint)), wake_(::eventfd(0, EFD_CLOEXEC)) {
    if (!wake_.is_open())
      throw model::EnvironmentError("eventfd: " + error_text(errno));
    endpoint_ = {endpoint.address, port_of(listener_)};
    thread_ = std::thread([this] { run(); });
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    stop_ = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
  }

  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] int refused_count() const { return refused_; }

 private:
  void run() {
    while (!stop_) {
      std::vector<pollfd> entries{{listener_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
      for (const Connection& c : connections_)
        entries.push_back({c.socket.get(), static_cast<short>(POLLIN | (c.out.empty() ? 0 : POLLOUT)), 0});
      ::poll(entries.data(), entries.size(), milliseconds_to_next_deadline());
      std::size_t i = 2;
      for (Connection& c : connections_) {
        const short events = entries[i++].revents;
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0)
          receive(c);
      }
      if ((entries[0].revents & POLLIN) != 0)
        accept_all();
      answer_waiting();
      for (Connection& c : connections_)
        send(c);
      connections_.remove_if([](const Connection& c) { return c.closing; });
    }
  }

  [[nodiscard]] int milliseconds_to_next_deadline() const {
    std::optional<Clock::time_point> next;
    for (const Connection& c : connections_) {
      if (c.request_deadline)
        next = std::min(next.value_or(*c.request_deadline), *c.request_deadline);
      if (c.waiting_key)
        next = std::min(next.value_or(c.wait_until), c.wait_until);
    }
    if (!next)
      return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }

  void accept_all() {
    while (true) {
      FileDescriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.is_open())
        return;
      if (connections_.size() >= limits_.connections)
        ++refused_;  // and closed here
      else
        connections_.emplace_back(std::move(socket));
    }
  }

  // The reply may be lost with the connection; it only makes the other side's message clearer.
  void refuse(Connection& c) {
    ++refused_;
    c.out = encode(StoreReply{StoreStatus::refused, {}});
    send(c);
    c.closing = true;
  }

  void receive(Connection& c) {
    std::array<char, 16384> chunk{};
    while (!c.closing) {
      const ssize_t got = ::recv(c.socket.get(), chunk.data(), chunk.size(), 0);
      if (got > 0) {
        c.in.append(chunk.data(), static_cast<std::size_t>(got));
        parse(c);
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else {
        c.closing = got == 0 || errno != EAGAIN;
        return;
      }
    }
  }

  // A client sends its next request only after the reply, so nothing is read while a get waits.
  void parse(Connection& c) {
    while (!c.in.empty() && !c.closing) {
      if (c.waiting_key)
        return refuse(c);
      ParsedRequest parsed = parse_request(c.in, secret_);
      if (parsed.state == ParseState::refused)
        return refuse(c);
      if (parsed.state == ParseState::incomplete) {
        if (!c.request_deadline)
          c.request_deadline = Clock::now() + limits_.request_time;
        return;
      }
      c.request_deadline.reset();
      c.in.erase(0, parsed.consumed);
      serve(c, std::move(parsed.request));
    }
  }

  void serve(Connection& c, StoreRequest request) {
    if (request.op == StoreOp::get) {
      c.wait_until = Clock::now() + std::chrono::milliseconds(request.timeout_ms);
      c.waiting_key = std::move(request.key);
      return;
    }
    const auto old = values_.find(request.key);
    const std::size_t freed = old == values_.end() ? 0 : old->first.size() + old->second.size();
    const std::size_t added = request.key.size() + request.value.size();
    if (used_bytes_ - freed + added > limits_.total_bytes) {
      c.out += encode(StoreReply{StoreStatus::full, {}});
      return;
    }
    used_bytes_ += added - freed;
    values_[request.key] = std::move(request.value);
    c.out += encode(StoreReply{});
  }

  void answer_waiting() {
    const Clock::time_point now = Clock::now();
    for (Connection& c : connections_) {
      if (c.request_deadline && *c.request_deadline <= now)
        refuse(c);
      if (!c.waiting_key)
        continue;
      const auto value = values_.find(*c.waiting_key);
      if (value == values_.end() && c.wait_until > now)
        continue;
      c.out += encode(value == values_.end() ? StoreReply{StoreStatus::timed_out, {}}
                                             : StoreReply{StoreStatus::ok, value->second});
      c.waiting_key.reset();
    }
  }

  static void send(Connection& c) {
    while (!c.out.empty() && !c.closing) {
      const ssize_t sent = ::send(c.socket.get(), c.out.data(), c.out.size(), MSG_NOSIGNAL);
      if (sent >= 0)
        c.out.erase(0, static_cast<std::size_t>(sent));
      else if (errno == EAGAIN)
        return;
      else if (errno != EINTR)
        c.closing = true;
    }
  }

  std::string secret_;
  StoreLimits limits_;
  FileDescriptor listener_;
  FileDescriptor wake_;
  Endpoint endpoint_;
  std::atomic<bool> stop_{false};
  std::atomic<int> refused_{0};
  std::list<Connection> connections_;
  std::map<std::string, std::string> values_;
  std::size_t used_bytes_ = 0;
  std::thread thread_;
};

StoreServer::StoreServer(const Endpoint& endpoint, std::string secret, const StoreLimits& limits)
    : loop_(std::make_unique<Loop>(endpoint, std::move(secret), limits)) {}
StoreServer::~StoreServer() = default;
Endpoint StoreServer::endpoint() const {
  return loop_->endpoint();
}
int StoreServer::refused_count() const {
  return loop_->refused_count();
}

}  // namespace trainwright::executor
