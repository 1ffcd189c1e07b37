// TCP with deadlines: the few calls that the rendezvous store needs. IPv4 addresses and port numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "executor/process/file_descriptor.hpp"

namespace trainwright::executor {

struct Endpoint {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
};

/// "127.0.0.1:29500"
[[nodiscard]] std::string to_text(const Endpoint& endpoint);
/// The other way round; throws EnvironmentError on anything else.
[[nodiscard]] Endpoint endpoint_from_text(const std::string& text);

using Deadline = std::chrono::steady_clock::time_point;

/// A listening socket; port 0 takes a free one. Throws EnvironmentError, saying so when the port is taken.
[[nodiscard]] FileDescriptor listen_on(const Endpoint& endpoint);
[[nodiscard]] std::uint16_t port_of(const FileDescriptor& listener);

/// Throws EnvironmentError when there is no answer before the deadline.
[[nodiscard]] FileDescriptor connect_to(const Endpoint& endpoint, Deadline deadline);
/// All bytes or an EnvironmentError (deadline passed, other side closed).
void send_all(const FileDescriptor& socket, std::span<const char> data, Deadline deadline);
void receive_all(const FileDescriptor& socket, std::span<char> data, Deadline deadline);

}  // namespace trainwright::executor
