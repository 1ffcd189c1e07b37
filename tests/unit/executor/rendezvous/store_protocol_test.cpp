// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/store_protocol.hpp"

#include <gtest/gtest.h>

namespace trainwright::executor {
namespace {

const std::string kSecret = "0123456789abcdef0123456789abcdef";
const StoreRequest kSet{StoreOp::set, 0, "control.0/1", std::string("\0address", 8)};

TEST(StoreProtocol, ReadsBackWhatItWrites) {
  const std::string bytes = encode(kSet, kSecret);
  const ParsedRequest parsed = parse_request(bytes, kSecret);
  EXPECT_EQ(parsed.state, ParseState::complete);
  EXPECT_EQ(parsed.request, kSet);
  EXPECT_EQ(parsed.consumed, bytes.size());
}

TEST(StoreProtocol, LeavesTheNextRequestInTheBuffer) {
  const StoreRequest get{StoreOp::get, 1500, "key", ""};
  const std::string first = encode(get, kSecret);
  const ParsedRequest parsed = parse_request(first + encode(kSet, kSecret), kSecret);
  EXPECT_EQ(parsed.request, get);
  EXPECT_EQ(parsed.consumed, first.size());
}

TEST(StoreProtocol, WaitsForTheRestOfEveryPrefix) {
  const std::string bytes = encode(kSet, kSecret);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(parse_request(bytes.substr(0, size), kSecret).state, ParseState::incomplete) << size;
}

TEST(StoreProtocol, RefusesAWrongSecret) {
  std::string other = kSecret;
  other.back() = '0';
  EXPECT_EQ(parse_request(encode(kSet, other), kSecret).state, ParseState::refused);
}

TEST(StoreProtocol, RefusesAStrangersFirstByte) {
  EXPECT_EQ(parse_request("GET / HTTP/1.1", kSecret).state, ParseState::refused);
  EXPECT_EQ(parse_request("G", kSecret).state, ParseState::refused);
}

// A header that announces too much is refused before its body arrives.
TEST(StoreProtocol, RefusesSizesOverTheLimits) {
  const auto header_with = [](unsigned char key_size_high, unsigned char value_size_high) {
    std::string bytes = encode(StoreRequest{StoreOp::set, 0, "k", "v"}, kSecret).substr(0, kRequestHeaderSize);
    bytes[kRequestHeaderSize - 5] = static_cast<char>(key_size_high);
    bytes[kRequestHeaderSize - 1] = static_cast<char>(value_size_high);
    return bytes;
  };
  EXPECT_EQ(parse_request(header_with(0, 0), kSecret).state, ParseState::incomplete);
  EXPECT_EQ(parse_request(header_with(0xff, 0), kSecret).state, ParseState::refused);
  EXPECT_EQ(parse_request(header_with(0, 0xff), kSecret).state, ParseState::refused);
}

TEST(StoreProtocol, AcceptsTheLargestValue) {
  const StoreRequest request{StoreOp::set, 0, std::string(kMaxKeySize, 'k'), std::string(kMaxValueSize, 'v')};
  EXPECT_EQ(parse_request(encode(request, kSecret), kSecret).request, request);
}

TEST(StoreProtocol, RefusesUnknownOperations) {
  std::string bytes = encode(kSet, kSecret);
  bytes[4 + kSecretSize] = 9;
  EXPECT_EQ(parse_request(bytes, kSecret).state, ParseState::refused);
}

TEST(StoreProtocol, ReplyHeaderSaysWhatFollows) {
  const std::string bytes = encode(StoreReply{StoreStatus::ok, "abc"});
  const auto header = parse_reply_header(bytes.substr(0, kReplyHeaderSize));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->status, StoreStatus::ok);
  EXPECT_EQ(header->value_size, 3U);
  EXPECT_FALSE(parse_reply_header("\x7fgarb"));
  EXPECT_FALSE(parse_reply_header("abc"));
}

}  // namespace
}  // namespace trainwright::executor
