// The rendezvous store of one job: a small key-value server in a thread of the launcher. Ranks publish their addresses
// in it and wait for those of others. It lives as long as the job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "executor/rendezvous/socket.hpp"

namespace trainwright::executor {

struct StoreLimits {
  std::size_t connections = 512;
  std::size_t total_bytes = 256U << 20U;           ///< keys and values together
  std::chrono::milliseconds request_time{10'000};  ///< from the first byte of a request to its last
};

class StoreServer {
 public:
  /// Listens at once; throws EnvironmentError when the port is taken.
  StoreServer(const Endpoint& endpoint, std::string secret, const StoreLimits& limits = {});
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;
  ~StoreServer();

  /// With the port that was really taken.
  [[nodiscard]] Endpoint endpoint() const;
  /// Connections closed for a wrong secret, garbage, a limit or slowness.
  [[nodiscard]] int refused_count() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace trainwright::executor
