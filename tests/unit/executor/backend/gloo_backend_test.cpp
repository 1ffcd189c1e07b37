// Every operation of the Gloo backend, with the ranks as threads of this process: real sockets, exact results.
// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/gloo_backend.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>

#include "executor/rendezvous/job_secret.hpp"
#include "executor/rendezvous/store_server.hpp"
#include "executor/verify/pattern.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

constexpr std::uint32_t kSalt = 5;

class Ranks {
 public:
  explicit Ranks(int count, std::chrono::milliseconds timeout = std::chrono::seconds(30))
      : count_(count), timeout_(timeout) {}

  /// Runs `action(communicator, own index, backend)` on every rank and rethrows the first failure.
  void run(const std::function<void(Communicator&, int, Backend&)>& action) {
    std::vector<std::future<void>> results;
    for (int rank = 0; rank < count_; ++rank)
      results.push_back(std::async(std::launch::async, [this, rank, &action] {
        const auto backend = make_gloo_backend({server_.endpoint(), secret_, "", timeout_});
        GroupOptions group{"all", {}, rank};
        for (int member = 0; member < count_; ++member)
          group.members.push_back(model::RankId(member));
        const auto communicator = backend->join(group);
        action(*communicator, rank, *backend);
        communicator->barrier();
      }));
    for (auto& result : results)
      result.get();
  }

 private:
  int count_;
  std::chrono::milliseconds timeout_;
  std::string secret_ = make_job_secret();
  StoreServer server_{Endpoint{}, secret_};
};

void run_collective(Communicator& communicator, CollectiveKind kind, std::vector<float>& data) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return communicator.all_reduce(data);
    case CollectiveKind::all_gather:
      return communicator.all_gather(data);
    case CollectiveKind::reduce_scatter:
      return communicator.reduce_scatter(data);
    case CollectiveKind::broadcast:
      return communicator.broadcast(data, 0);
    case CollectiveKind::reduce:
      return communicator.reduce(data, 0);
    case CollectiveKind::all_to_all: {
      std::vector<float> output(data.size(), -1.0F);
      communicator.all_to_all(data, output);
      data = output;
      return;
    }
    case CollectiveKind::ring_shift: {
      std::vector<float> output(data.size(), -1.0F);
      communicator.ring_shift(data, output);
      data = output;
      return;
    }
  }
}

struct Case {
  int ranks;
  std::size_t block;  ///< elements per rank
};

class GlooCollectives : public ::testing::TestWithParam<Case> {};

TEST_P(GlooCollectives, GiveExactResults) {
  const auto [ranks, block] = GetParam();
  Ranks(ranks).run([&](Communicator& communicator, int own, Backend&) {
    std::vector<float> data;
    for (std::uint32_t round = 0; round < 2; ++round)  // twice: operations of one kind follow each other
      for (std::size_t kind = 0; kind < model::kCollectiveWords.size(); ++kind) {
        data.assign(block * static_cast<std::size_t>(ranks), 0.0F);
        fill(data, own, kSalt + round);
        run_collective(communicator, static_cast<CollectiveKind>(kind), data);
        const auto problem = check_collective(static_cast<CollectiveKind>(kind), data, {ranks, own, kSalt + round});
        EXPECT_EQ(problem, std::nullopt) << model::kCollectiveWords[kind] << " rank " << own << ": " << *problem;
      }
  });
}

// One element; odd sizes; blocks of several segments of 1 MiB with a rest; groups that are no power of two.
INSTANTIATE_TEST_SUITE_P(Sizes, GlooCollectives,
                         ::testing::Values(Case{2, 1}, Case{3, 7}, Case{2, 600'001}, Case{3, 300'000}, Case{5, 1000}),
                         [](const auto& test) {
                           return std::to_string(test.param.ranks) + "ranks" + std::to_string(test.param.block);
                         });

TEST(GlooMessages, ArriveByPeerAndTagInOrder) {
  constexpr int kRounds = 3;
  Ranks(3).run([&](Communicator& communicator, int own, Backend&) {
    const int right = (own + 1) % 3;
    const int left = (own + 2) % 3;
    // Sending and receiving are streams of their own: two threads use one communicator.
    std::thread sender([&] {
      std::vector<float> data(1000);
      for (int round = 0; round < kRounds; ++round)
        for (int tag = 0; tag < 2; ++tag) {
          fill(data, own, static_cast<std::uint32_t>(10 * round + tag));
          communicator.send(data, right, tag);
        }
    });
    std::vector<float> data(1000);
    for (int round = 0; round < kRounds; ++round)
      for (int tag = 0; tag < 2; ++tag) {
        communicator.receive(data, left, tag);
        EXPECT_EQ(check_message(data, left, static_cast<std::uint32_t>(10 * round + tag)), std::nullopt);
      }
    sender.join();
  });
}

TEST(GlooBackend, TimesOutNamingOperationGroupAndPeer) {
  try {
    Ranks(2, std::chrono::milliseconds(300)).run([](Communicator& communicator, int own, Backend&) {
      std::vector<float> data(10);
      if (own == 0)
        communicator.receive(data, 1, 0);  // which nobody sends
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(600));  // past the limit of the other
    });
    FAIL();
  } catch (const CommunicationError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("receive from rank 1 in group all (ranks 0, 1): ", 0), 0U)
        << error.what();
  }
}

TEST(GlooBackend, AbortEndsABlockedOperation) {
  constexpr std::chrono::seconds kTimeout(10);
  std::chrono::steady_clock::duration waited = kTimeout;
  EXPECT_THROW(Ranks(2, kTimeout).run([&](Communicator& communicator, int own, Backend& backend) {
    std::vector<float> data(10);
    if (own == 1)
      return;  // waits in the final barrier, where it may learn of the end at once or by its own timeout
    auto blocked = std::async(std::launch::async, [&] { communicator.receive(data, 1, 0); });
    const auto start = std::chrono::steady_clock::now();
    backend.abort();
    blocked.wait();
    waited = std::chrono::steady_clock::now() - start;
    blocked.get();
  }),
               CommunicationError);
  EXPECT_LT(waited, kTimeout / 2);
}

TEST(GlooBackend, SaysThatAMemberNeverCame) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret);
  const auto backend = make_gloo_backend({server.endpoint(), secret, "", std::chrono::milliseconds(200)});
  try {
    static_cast<void>(backend->join({"pair", {model::RankId(0), model::RankId(1)}, 0}));
    FAIL();
  } catch (const CommunicationError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("joining group pair: ", 0), 0U) << error.what();
  }
}

TEST(GlooBackend, RefusesAnUnknownInterface) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret);
  EXPECT_THROW(static_cast<void>(make_gloo_backend({server.endpoint(), secret, "no-such-if", std::chrono::seconds(5)})),
               model::EnvironmentError);
}

}  // namespace
}  // namespace trainwright::executor
