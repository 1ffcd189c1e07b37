// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/store_client.hpp"

#include "executor/rendezvous/store_protocol.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

// The server answers at its own deadline; this much later the connection itself is given up.
constexpr std::chrono::seconds kGrace{5};

StoreReply exchange(const FileDescriptor& socket, const std::string& request, Deadline deadline) {
  send_all(socket, request, deadline);
  std::string header(kReplyHeaderSize, '\0');
  receive_all(socket, header, deadline);
  const auto parsed = parse_reply_header(header);
  if (!parsed)
    throw model::EnvironmentError("the answer is not one of a rendezvous store");
  if (parsed->status == StoreStatus::refused)
    throw model::EnvironmentError("the request was refused", "the job's secret is not the server's");
  StoreReply reply{parsed->status, std::string(parsed->value_size, '\0')};
  receive_all(socket, reply.value, deadline);
  return reply;
}

}  // namespace

StoreClient::StoreClient(const Endpoint& endpoint, std::string secret, std::chrono::milliseconds timeout)
    : endpoint_(endpoint),
      secret_(std::move(secret)),
      timeout_(timeout),
      socket_(connect_to(endpoint, std::chrono::steady_clock::now() + timeout)) {}

void StoreClient::set(const std::string& key, const std::string& value) {
  try {
    const StoreReply reply = exchange(socket_, encode(StoreRequest{StoreOp::set, 0, key, value}, secret_),
                                      std::chrono::steady_clock::now() + timeout_);
    if (reply.status == StoreStatus::full)
      throw model::EnvironmentError("it is full");
  } catch (const model::EnvironmentError& error) {
    throw model::EnvironmentError("rendezvous store " + to_text(endpoint_) + ", setting \"" + key +
                                  "\": " + error.what());
  }
}

std::string StoreClient::get(const std::string& key, std::chrono::milliseconds timeout) {
  try {
    const auto milliseconds = static_cast<std::uint32_t>(timeout.count());
    StoreReply reply = exchange(socket_, encode(StoreRequest{StoreOp::get, milliseconds, key, {}}, secret_),
                                std::chrono::steady_clock::now() + timeout + kGrace);
    if (reply.status == StoreStatus::ok)
      return std::move(reply.value);
    throw model::EnvironmentError("nobody set it in time");
  } catch (const model::EnvironmentError& error) {
    throw model::EnvironmentError("rendezvous store " + to_text(endpoint_) + ", waiting for \"" + key +
                                  "\": " + error.what());
  }
}

}  // namespace trainwright::executor
