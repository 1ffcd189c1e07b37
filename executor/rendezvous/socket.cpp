// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using model::EnvironmentError;

sockaddr_in socket_address(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  if (::inet_pton(AF_INET, endpoint.address.c_str(), &address.sin_addr) != 1)
    throw EnvironmentError("\"" + endpoint.address + "\" is not an IPv4 address");
  return address;
}

// The socket calls take a sockaddr*, of which every address type is a prefix-compatible extension.
const sockaddr* generic(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);  // NOLINT
}

FileDescriptor new_socket(int extra_flags) {
  FileDescriptor result(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | extra_flags, 0));
  if (!result.is_open())
    throw EnvironmentError("a socket cannot be made: " + error_text(errno));
  return result;
}

// Waits until the socket is ready or the deadline has passed, which is an error.
void wait_for(const FileDescriptor& socket, short events, Deadline deadline, const char* what) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0)
      throw EnvironmentError(std::string(what) + ": no answer in time");
    pollfd entry{socket.get(), events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    if (ready > 0)
      return;
    if (ready < 0 && errno != EINTR)
      throw EnvironmentError(std::string(what) + ": " + error_text(errno));
  }
}

}  // namespace

std::string to_text(const Endpoint& endpoint) {
  return endpoint.address + ":" + std::to_string(endpoint.port);
}

Endpoint endpoint_from_text(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Endpoint endpoint;
  if (colon != std::string::npos) {
    endpoint.address = text.substr(0, colon);
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, endpoint.port);
    if (error == std::errc{} && stop == end && endpoint.port != 0)
      return endpoint;
  }
  throw EnvironmentError("\"" + text + "\" is not ADDRESS:PORT");
}

FileDescriptor listen_on(const Endpoint& endpoint) {
  FileDescriptor listener = new_socket(SOCK_NONBLOCK);
  const int yes = 1;  // a port in TIME_WAIT is free for us; one that somebody listens on is still refused
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = socket_address(endpoint);
  if (::bind(listener.get(), generic(address), sizeof address) != 0 || ::listen(listener.get(), 128) != 0) {
    const int error = errno;
    throw EnvironmentError("cannot listen on " + to_text(endpoint) + ": " + error_text(error),
                           error == EADDRINUSE ? "another program uses the port; leave --rendezvous-port out to take a "
                                                 "free one"
                                               : "");
  }
  return listener;
}

std::uint16_t port_of(const FileDescriptor& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)  // NOLINT: as above
    throw EnvironmentError("getsockname: " + error_text(errno));
  return ntohs(address.sin_port);
}

FileDescriptor connect_to(const Endpoint& endpoint, Deadline deadline) {
  FileDescriptor result = new_socket(SOCK_NONBLOCK);
  const sockaddr_in address = socket_address(endpoint);
  const std::string what = "cannot connect to " + to_text(endpoint);
  if (::connect(result.get(), generic(address), sizeof address) != 0) {
    if (errno != EINPROGRESS)
      throw EnvironmentError(what + ": " + error_text(errno));
    wait_for(result, POLLOUT, deadline, what.c_str());
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(result.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0)
      throw EnvironmentError(what + ": " + error_text(error));
  }
  const int yes = 1;  // requests are smaller than a segment
  ::setsockopt(result.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return result;
}

void send_all(const FileDescriptor& socket, std::span<const char> data, Deadline deadline) {
  while (!data.empty()) {
    const ssize_t sent = ::send(socket.get(), data.data(), data.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      data = data.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      wait_for(socket, POLLOUT, deadline, "sending");
    } else if (errno != EINTR) {
      throw EnvironmentError("sending: " + error_text(errno));
    }
  }
}

void receive_all(const FileDescriptor& socket, std::span<char> data, Deadline deadline) {
  while (!data.empty()) {
    const ssize_t got = ::recv(socket.get(), data.data(), data.size(), 0);
    if (got > 0) {
      data = data.subspan(static_cast<std::size_t>(got));
    } else if (got == 0) {
      throw EnvironmentError("receiving: the other side closed the connection");
    } else if (errno == EAGAIN) {
      wait_for(socket, POLLIN, deadline, "receiving");
    } else if (errno != EINTR) {
      throw EnvironmentError("receiving: " + error_text(errno));
    }
  }
}

}  // namespace trainwright::executor
