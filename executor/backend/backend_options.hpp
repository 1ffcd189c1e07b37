// How a rank reaches the others of its job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "executor/rendezvous/socket.hpp"

namespace trainwright::executor {

struct BackendOptions {
  Endpoint rendezvous;
  std::string secret;
  std::string interface;                      ///< network interface for data; empty: the backend's default
  std::chrono::milliseconds timeout{60'000};  ///< of each operation, and of joining a group
};

}  // namespace trainwright::executor
