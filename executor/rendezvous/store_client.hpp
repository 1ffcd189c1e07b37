// A rank's connection to the rendezvous store of its job. One request at a time; used from one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "executor/rendezvous/socket.hpp"

namespace trainwright::executor {

class StoreClient {
 public:
  /// Throws EnvironmentError when the server does not answer within `timeout`.
  StoreClient(const Endpoint& endpoint, std::string secret, std::chrono::milliseconds timeout);

  /// Throws EnvironmentError: refused (wrong secret), full, no answer. Precondition: sizes within the protocol's
  /// limits.
  void set(const std::string& key, const std::string& value);
  /// Waits until the key exists; EnvironmentError naming the key when it does not within `timeout`.
  [[nodiscard]] std::string get(const std::string& key, std::chrono::milliseconds timeout);

  [[nodiscard]] std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  Endpoint endpoint_;
  std::string secret_;
  std::chrono::milliseconds timeout_;
  FileDescriptor socket_;
};

}  // namespace trainwright::executor
