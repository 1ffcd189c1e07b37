// Requests and replies of the rendezvous store, as bytes on a TCP connection. Each request carries the job's secret.
//
//   request  "TWS1" secret[32] op:u8 timeout_ms:u32 key_size:u32 value_size:u32 key value
//   reply    status:u8 value_size:u32 value
//
// Numbers are little-endian. Sizes are bounded before anything is kept, so a stranger cannot make the server grow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "executor/rendezvous/job_secret.hpp"

namespace trainwright::executor {

inline constexpr std::size_t kMaxKeySize = 256;
inline constexpr std::size_t kMaxValueSize = 1U << 20U;
inline constexpr std::size_t kRequestHeaderSize = 4 + kSecretSize + 1 + 4 + 4 + 4;
inline constexpr std::size_t kReplyHeaderSize = 1 + 4;

enum class StoreOp : std::uint8_t {
  set = 1,  ///< key := value
  get = 2,  ///< answers when the key exists or timeout_ms have passed
};

enum class StoreStatus : std::uint8_t { ok = 0, timed_out = 1, refused = 2, full = 3 };

struct StoreRequest {
  StoreOp op = StoreOp::get;
  std::uint32_t timeout_ms = 0;
  std::string key;
  std::string value;
  friend bool operator==(const StoreRequest&, const StoreRequest&) = default;
};

struct StoreReply {
  StoreStatus status = StoreStatus::ok;
  std::string value;
  friend bool operator==(const StoreReply&, const StoreReply&) = default;
};

/// Preconditions: sizes within the limits, a secret of kSecretSize.
[[nodiscard]] std::string encode(const StoreRequest& request, std::string_view secret);
[[nodiscard]] std::string encode(const StoreReply& reply);

enum class ParseState { incomplete, complete, refused };

/// Outcome of reading one request from the front of a buffer. refused: wrong secret, not our protocol, or over a limit.
struct ParsedRequest {
  ParseState state = ParseState::incomplete;
  StoreRequest request;      ///< when complete
  std::size_t consumed = 0;  ///< bytes of the buffer it took, when complete
};

[[nodiscard]] ParsedRequest parse_request(std::string_view buffer, std::string_view secret);

/// Size of the value behind a reply header of kReplyHeaderSize bytes; empty when it is not one.
struct ReplyHeader {
  StoreStatus status = StoreStatus::ok;
  std::uint32_t value_size = 0;
};
[[nodiscard]] std::optional<ReplyHeader> parse_reply_header(std::string_view header);

}  // namespace trainwright::executor
