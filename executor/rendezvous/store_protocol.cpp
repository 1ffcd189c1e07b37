// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/store_protocol.hpp"

#include <algorithm>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

constexpr std::string_view kMagic = "TWS1";

void append_u32(std::string& out, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    out += static_cast<char>((value >> shift) & 0xffU);
}

std::uint32_t read_u32(std::string_view bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

}  // namespace

std::string encode(const StoreRequest& request, std::string_view secret) {
  TRAINWRIGHT_EXPECTS(secret.size() == kSecretSize, std::to_string(secret.size()));
  TRAINWRIGHT_EXPECTS(request.key.size() <= kMaxKeySize && request.value.size() <= kMaxValueSize, request.key);
  std::string out(kMagic);
  out += secret;
  out += static_cast<char>(request.op);
  append_u32(out, request.timeout_ms);
  append_u32(out, request.key.size());
  append_u32(out, request.value.size());
  return out + request.key + request.value;
}

std::string encode(const StoreReply& reply) {
  std::string out(1, static_cast<char>(reply.status));
  append_u32(out, reply.value.size());
  return out + reply.value;
}

ParsedRequest parse_request(std::string_view buffer, std::string_view secret) {
  // A wrong start is refused at once; a stranger's half request is not waited for.
  const std::size_t seen = std::min(buffer.size(), kMagic.size());
  if (buffer.substr(0, seen) != kMagic.substr(0, seen))
    return {ParseState::refused, {}, 0};
  if (buffer.size() < kRequestHeaderSize)
    return {};
  std::string_view rest = buffer.substr(kMagic.size());
  if (!equal_secrets(rest.substr(0, kSecretSize), secret))
    return {ParseState::refused, {}, 0};
  rest.remove_prefix(kSecretSize);
  const auto op = static_cast<StoreOp>(rest[0]);
  const std::uint32_t timeout_ms = read_u32(rest.substr(1));
  const std::size_t key_size = read_u32(rest.substr(5));
  const std::size_t value_size = read_u32(rest.substr(9));
  if ((op != StoreOp::set && op != StoreOp::get) || key_size == 0 || key_size > kMaxKeySize ||
      value_size > kMaxValueSize || (op == StoreOp::get && value_size != 0))
    return {ParseState::refused, {}, 0};
  if (buffer.size() < kRequestHeaderSize + key_size + value_size)
    return {};
  const std::string_view body = buffer.substr(kRequestHeaderSize);
  return {ParseState::complete,
          {op, timeout_ms, std::string(body.substr(0, key_size)), std::string(body.substr(key_size, value_size))},
          kRequestHeaderSize + key_size + value_size};
}

std::optional<ReplyHeader> parse_reply_header(std::string_view header) {
  if (header.size() != kReplyHeaderSize)
    return std::nullopt;
  const auto status = static_cast<unsigned char>(header[0]);
  const std::uint32_t size = read_u32(header.substr(1));
  if (status > static_cast<unsigned char>(StoreStatus::full) || size > kMaxValueSize)
    return std::nullopt;
  return ReplyHeader{static_cast<StoreStatus>(status), size};
}

}  // namespace trainwright::executor
