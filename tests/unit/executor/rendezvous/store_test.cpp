// The rendezvous store over real loopback connections.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <future>

#include "executor/rendezvous/store_client.hpp"
#include "executor/rendezvous/store_protocol.hpp"
#include "executor/rendezvous/store_server.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{20'000};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const model::EnvironmentError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// What a connection that is not a client's gets back until the server closes it.
std::string talk(const Endpoint& endpoint, const std::string& bytes) {
  const Deadline deadline = std::chrono::steady_clock::now() + kLong;
  const FileDescriptor socket = connect_to(endpoint, deadline);
  send_all(socket, bytes, deadline);
  std::string answer;
  std::array<char, 1> next{};
  try {
    while (true) {
      receive_all(socket, next, deadline);
      answer += next[0];
    }
  } catch (const model::EnvironmentError& error) {
    EXPECT_EQ(std::string(error.what()).find("no answer in time"), std::string::npos) << "the server did not close";
  }
  return answer;
}

class Store : public ::testing::Test {
 protected:
  std::string secret = make_job_secret();
  StoreServer server{Endpoint{}, secret};
};

TEST_F(Store, GivesWhatAnotherClientSet) {
  StoreClient writer(server.endpoint(), secret, kLong);
  StoreClient reader(server.endpoint(), secret, kLong);
  const std::string value("\0\1\2binary", 9);
  writer.set("key", value);
  EXPECT_EQ(reader.get("key", kLong), value);
  writer.set("key", "newer");
  EXPECT_EQ(reader.get("key", kLong), "newer");
}

TEST_F(Store, WaitsForAKeyThatIsSetLater) {
  StoreClient reader(server.endpoint(), secret, kLong);
  auto value = std::async(std::launch::async, [&] { return reader.get("late", kLong); });
  StoreClient writer(server.endpoint(), secret, kLong);
  writer.set("late", "here");
  EXPECT_EQ(value.get(), "here");
}

TEST_F(Store, SaysWhichKeyNobodySet) {
  StoreClient reader(server.endpoint(), secret, kLong);
  EXPECT_EQ(message_of([&] { static_cast<void>(reader.get("missing", milliseconds(30))); }),
            "rendezvous store " + to_text(server.endpoint()) + ", waiting for \"missing\": nobody set it in time");
  reader.set("after", "still works");
  EXPECT_EQ(reader.get("after", kLong), "still works");
}

TEST_F(Store, RefusesAWrongSecret) {
  StoreClient stranger(server.endpoint(), std::string(kSecretSize, '0'), kLong);
  EXPECT_NE(message_of([&] { stranger.set("key", "value"); }), "nothing was thrown");
  EXPECT_EQ(server.refused_count(), 1);
  StoreClient reader(server.endpoint(), secret, kLong);
  EXPECT_NE(message_of([&] { static_cast<void>(reader.get("key", milliseconds(10))); }).find("nobody set it"),
            std::string::npos);
}

TEST_F(Store, ClosesConnectionsThatTalkGarbage) {
  const std::string refusal = encode(StoreReply{StoreStatus::refused, {}});
  EXPECT_EQ(talk(server.endpoint(), "GET / HTTP/1.1\r\n\r\n"), refusal);
  EXPECT_EQ(talk(server.endpoint(), std::string(3, '\0')), refusal);
  EXPECT_EQ(server.refused_count(), 2);
}

TEST_F(Store, CarriesTheLargestValue) {
  const std::string value(kMaxValueSize, 'x');
  StoreClient client(server.endpoint(), secret, kLong);
  client.set("large", value);
  EXPECT_EQ(client.get("large", kLong), value);
}

TEST(StoreLimits, IsFullAtItsByteLimitAndTakesReplacements) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret, {.connections = 8, .total_bytes = 100});
  StoreClient client(server.endpoint(), secret, kLong);
  client.set("a", std::string(90, 'x'));
  EXPECT_NE(message_of([&] { client.set("b", std::string(20, 'x')); }).find("it is full"), std::string::npos);
  client.set("a", std::string(99, 'y'));
  EXPECT_EQ(client.get("a", kLong), std::string(99, 'y'));
}

TEST(StoreLimits, ClosesARequestThatNeverEnds) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret, {.request_time = milliseconds(50)});
  talk(server.endpoint(), encode(StoreRequest{StoreOp::set, 0, "key", "value"}, secret).substr(0, 20));
  EXPECT_EQ(server.refused_count(), 1);
}

TEST(StoreLimits, RefusesConnectionsOverTheLimit) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret, {.connections = 1});
  StoreClient first(server.endpoint(), secret, kLong);
  first.set("key", "value");
  EXPECT_EQ(talk(server.endpoint(), ""), "");
  EXPECT_EQ(first.get("key", kLong), "value");
}

TEST(StoreServer, SaysThatThePortIsTaken) {
  StoreServer server(Endpoint{}, make_job_secret());
  const std::string message = message_of([&] { StoreServer second(server.endpoint(), make_job_secret()); });
  EXPECT_NE(message.find("cannot listen on " + to_text(server.endpoint())), std::string::npos) << message;
  EXPECT_NE(message.find("another program uses the port"), std::string::npos) << message;
}

TEST(StoreClient, SaysThatNobodyListens) {
  Endpoint endpoint;
  {
    const FileDescriptor listener = listen_on({});
    endpoint.port = port_of(listener);
  }
  EXPECT_NE(message_of([&] { StoreClient client(endpoint, make_job_secret(), kLong); }).find("cannot connect to"),
            std::string::npos);
}

TEST(JobSecret, IsLongAndNew) {
  const std::string secret = make_job_secret();
  EXPECT_EQ(secret.size(), kSecretSize);
  EXPECT_NE(secret, make_job_secret());
  EXPECT_TRUE(equal_secrets(secret, secret));
  EXPECT_FALSE(equal_secrets(secret, secret.substr(1)));
}

TEST(Endpoint, ReadsBackItsText) {
  const Endpoint endpoint = endpoint_from_text("127.0.0.1:29500");
  EXPECT_EQ(to_text(endpoint), "127.0.0.1:29500");
  for (const char* wrong : {"127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:80x", ""})
    EXPECT_THROW(static_cast<void>(endpoint_from_text(wrong)), model::EnvironmentError) << wrong;
}

}  // namespace
}  // namespace trainwright::executor
