// Every operation of the NCCL backend on the double of CUDA and NCCL, with the ranks as threads: exact results, and
// what is said when something fails.
// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/nccl_backend.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>

#include "executor/rendezvous/job_secret.hpp"
#include "executor/rendezvous/store_server.hpp"
#include "executor/verify/pattern.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;
using model::Stream;

constexpr std::uint32_t kSalt = 5;

struct OneRank {
  int own = 0;
  Backend* backend = nullptr;
  Communicator* everyone = nullptr;
  test::DeviceDouble* device = nullptr;
};

class Ranks {
 public:
  explicit Ranks(int count, std::chrono::milliseconds timeout = std::chrono::seconds(30))
      : count_(count), timeout_(timeout) {}

  /// A fault of one rank: "ncclAllReduce:1:fail:2".
  Ranks& with(int rank, const std::string& fault) {
    faults_.emplace_back(rank, test::fault_from_text(fault));
    return *this;
  }

  /// Runs `action` on every rank and rethrows the first failure; whoever fails aborts. Misuse of the calls is a failure
  /// of the test.
  void run(const std::function<void(OneRank)>& action) {
    std::vector<std::future<void>> results;
    for (int rank = 0; rank < count_; ++rank)
      results.push_back(std::async(std::launch::async, [this, rank, &action] { run_one(rank, action); }));
    std::exception_ptr failure;
    for (auto& result : results) {
      try {
        result.get();
      } catch (...) {
        if (!failure)
          failure = std::current_exception();
      }
    }
    if (failure)
      std::rethrow_exception(failure);
  }

  [[nodiscard]] GroupOptions everyone(int own) const {
    GroupOptions group{"all", {}, own, Stream::tensor};
    for (int member = 0; member < count_; ++member)
      group.members.push_back(model::RankId(member));
    return group;
  }

 private:
  void run_one(int rank, const std::function<void(OneRank)>& action) {
    test::DeviceDouble device({.devices = count_});
    for (const auto& [faulty, fault] : faults_)
      if (faulty == rank)
        device.state().faults.add(fault);
    try {
      const auto queues = std::make_shared<const DeviceQueues>(device.api(), rank);
      const auto backend = make_nccl_backend({server_.endpoint(), secret_, "", timeout_}, queues);
      try {
        const auto communicator = backend->join(everyone(rank));
        try {
          action({rank, backend.get(), communicator.get(), &device});
          communicator->barrier();
        } catch (...) {
          backend->abort();
          throw;
        }
      } catch (...) {
        backend->abort();
        throw;
      }
    } catch (...) {
      EXPECT_EQ(device.complaints(), "");
      throw;
    }
    EXPECT_EQ(device.complaints(), "");
  }

  int count_;
  std::chrono::milliseconds timeout_;
  std::vector<std::pair<int, test::Fault>> faults_;
  std::string secret_ = make_job_secret();
  StoreServer server_{Endpoint{}, secret_};
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const CommunicationError& error) {
    return error.what();
  } catch (const model::EnvironmentError& error) {
    return std::string("here: ") + error.what();
  }
  return "no error";
}

void run_collective(Communicator& communicator, CollectiveKind kind, Buffer& data, Buffer& output) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return communicator.all_reduce(data.elements());
    case CollectiveKind::all_gather:
      return communicator.all_gather(data.elements());
    case CollectiveKind::reduce_scatter:
      return communicator.reduce_scatter(data.elements());
    case CollectiveKind::broadcast:
      return communicator.broadcast(data.elements(), 0);
    case CollectiveKind::reduce:
      return communicator.reduce(data.elements(), 0);
    case CollectiveKind::all_to_all:
      return communicator.all_to_all(data.elements(), output.elements());
    case CollectiveKind::ring_shift:
      return communicator.ring_shift(data.elements(), output.elements());
  }
}

struct Case {
  int ranks;
  std::size_t block;  ///< elements per rank
};

class NcclCollectives : public ::testing::TestWithParam<Case> {};

TEST_P(NcclCollectives, GiveExactResults) {
  const auto [ranks, block] = GetParam();
  const std::size_t elements = block * static_cast<std::size_t>(ranks);
  Ranks(ranks).run([&](OneRank rank) {
    const auto data = rank.backend->allocate(Stream::tensor, elements);
    const auto output = rank.backend->allocate(Stream::tensor, elements);
    rank.everyone->announce(data->elements());
    std::vector<float> values(elements);
    for (std::uint32_t round = 0; round < 2; ++round)  // twice: operations of one kind follow each other
      for (std::size_t k = 0; k < model::kCollectiveWords.size(); ++k) {
        const auto kind = static_cast<CollectiveKind>(k);
        fill(values, rank.own, kSalt + round);
        data->write(values);
        run_collective(*rank.everyone, kind, *data, *output);
        const bool has_output = kind == CollectiveKind::all_to_all || kind == CollectiveKind::ring_shift;
        (has_output ? *output : *data).read(values);
        const auto problem = check_collective(kind, values, {ranks, rank.own, kSalt + round});
        EXPECT_EQ(problem, std::nullopt) << model::kCollectiveWords[k] << " rank " << rank.own << ": " << *problem;
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, NcclCollectives,
                         ::testing::Values(Case{2, 1}, Case{3, 7}, Case{2, 100'001}, Case{5, 1000}),
                         [](const auto& test) {
                           return std::to_string(test.param.ranks) + "ranks" + std::to_string(test.param.block);
                         });

TEST(NcclBackend, NewBuffersHoldZeros) {
  Ranks(1).run([](OneRank rank) {
    std::vector<float> values(10, 1.0F);
    rank.backend->allocate(Stream::data, 10)->read(values);
    EXPECT_EQ(values, std::vector<float>(10, 0.0F));
  });
}

TEST(NcclBackend, OperationsAreQueuedAndDoNotWait) {
  Ranks(2).run([](OneRank rank) {
    const auto data = rank.backend->allocate(Stream::tensor, 4);
    rank.everyone->all_reduce(data->elements());  // the first sets up connections, for which it may wait
    if (rank.own == 0) {
      rank.everyone->all_reduce(data->elements());  // the other comes later, and this returns
      rank.everyone->all_reduce(data->elements());
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      rank.everyone->all_reduce(data->elements());
      rank.everyone->all_reduce(data->elements());
    }
    rank.everyone->barrier();
  });
}

// Pairs in one round, a bridge between them in the next, in which two ranks have no part.
TEST(NcclBackend, SplitsGroupsOffInRounds) {
  Ranks(4).run([](OneRank rank) {
    std::vector<GroupOptions> groups;
    const int first = rank.own / 2 * 2;
    groups.push_back({"pair", {model::RankId(first), model::RankId(first + 1)}, rank.own % 2, Stream::data, 0});
    if (rank.own == 1 || rank.own == 2)
      groups.push_back({"bridge", {model::RankId(2), model::RankId(1)}, 2 - rank.own, Stream::send_forward, 1});
    const auto communicators = rank.backend->split(groups, 2);
    ASSERT_EQ(communicators.size(), groups.size());
    const auto data = rank.backend->allocate(Stream::data, 1);
    std::vector<float> value{static_cast<float>(1 << rank.own)};
    data->write(value);
    communicators[0]->all_reduce(data->elements());
    data->read(value);
    EXPECT_EQ(value[0], rank.own < 2 ? 3.0F : 12.0F);
    if (communicators.size() == 2) {
      const auto parcel = rank.backend->allocate(Stream::send_forward, 1);
      value[0] = static_cast<float>(rank.own);
      parcel->write(value);
      if (rank.own == 2)  // member 0 of the bridge
        communicators[1]->send(parcel->elements(), 1, 0);
      else
        communicators[1]->receive(parcel->elements(), 0, 0);
      parcel->read(value);
      EXPECT_EQ(value[0], 2.0F);
    }
  });
}

TEST(NcclBackend, TimesOutNamingOperationAndGroup) {
  const std::string text = message_of([] {
    Ranks(2, std::chrono::milliseconds(300)).run([](OneRank rank) {
      if (rank.own == 0)
        rank.everyone->barrier();  // to which the other does not come in time
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
    });
  });
  EXPECT_EQ(text, "barrier in group all (ranks 0, 1): not done after 300 ms");
}

TEST(NcclBackend, AbortEndsABlockedOperation) {
  constexpr std::chrono::seconds kTimeout(10);
  std::chrono::steady_clock::duration waited = kTimeout;
  const std::string text = message_of([&] {
    Ranks(2, kTimeout).run([&](OneRank rank) {
      if (rank.own == 1)
        return;  // waits in the final barrier until it sees that the other has gone
      auto blocked = std::async(std::launch::async, [&] {
        test::current_device() = 0;
        const auto data = rank.backend->allocate(Stream::tensor, 10);
        rank.everyone->receive(data->elements(), 1, 0);
        std::vector<float> values(10);
        data->read(values);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const auto start = std::chrono::steady_clock::now();
      rank.backend->abort();
      blocked.wait();
      waited = std::chrono::steady_clock::now() - start;
      blocked.get();
    });
  });
  EXPECT_NE(text.find("aborted"), std::string::npos) << text;
  EXPECT_LT(waited, kTimeout / 2);
}

TEST(NcclBackend, SaysThatAMemberNeverCame) {
  const std::string text = message_of(
      [] { Ranks(2, std::chrono::milliseconds(200)).with(1, "ncclCommInitRankConfig:1:hang").run([](OneRank) {}); });
  EXPECT_EQ(text, "joining in group all (ranks 0, 1): ncclCommInitRankConfig: not all members have come within 200 ms");
}

TEST(NcclBackend, SaysThatTheIdNeverCame) {
  const std::string secret = make_job_secret();
  StoreServer server(Endpoint{}, secret);
  test::DeviceDouble device({.devices = 2});
  const auto queues = std::make_shared<const DeviceQueues>(device.api(), 1);
  const auto backend = make_nccl_backend({server.endpoint(), secret, "", std::chrono::milliseconds(200)}, queues);
  const std::string text = message_of([&] {
    static_cast<void>(backend->join({"pair", {model::RankId(0), model::RankId(1)}, 1}));
  });
  EXPECT_EQ(text.rfind("joining group pair (ranks 0, 1): rendezvous store ", 0), 0U) << text;
  EXPECT_NE(text.find("nobody set it in time"), std::string::npos) << text;
}

TEST(NcclBackend, RefusedCallsNameCallCodeAndText) {
  const std::string text = message_of([] {
    Ranks(2).with(0, "ncclAllReduce:1:fail:2").run([](OneRank rank) {
      const auto data = rank.backend->allocate(Stream::tensor, 10);
      rank.everyone->all_reduce(data->elements());
      std::vector<float> values(10);
      data->read(values);  // memory is given back when nothing uses it any more
    });
  });
  EXPECT_EQ(text, "here: all_reduce in group all (ranks 0, 1): ncclAllReduce: unhandled system error (code 2)");
}

TEST(NcclBackend, FailuresInTheBackgroundAreFoundWhileWaiting) {
  const auto start = std::chrono::steady_clock::now();
  const std::string text = message_of([] {
    Ranks(2, std::chrono::seconds(20)).with(0, "ncclAllReduce:2:async:2").run([](OneRank rank) {
      const auto data = rank.backend->allocate(Stream::tensor, 10);
      rank.everyone->all_reduce(data->elements());
      rank.everyone->all_reduce(data->elements());
      std::vector<float> values(10);
      data->read(values);
    });
  });
  EXPECT_EQ(text, "here: an operation in group all (ranks 0, 1): NCCL: unhandled system error (code 2)");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));  // less than the time-out
}

TEST(NcclBackend, AMemberThatLeavesIsNoticedByTheOthers) {
  const std::string text = message_of([] {
    Ranks(2, std::chrono::seconds(20)).run([](OneRank rank) {
      if (rank.own == 1)
        throw std::runtime_error("leaves");
      rank.everyone->barrier();
    });
  });
  EXPECT_NE(text.find("in group all (ranks 0, 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("remote process exited or there was a network error: member 1 has gone (code 6)"),
            std::string::npos)
      << text;
}

TEST(NcclBackend, MembersThatCallDifferentThingsAreFound) {
  const std::string text = message_of([] {
    Ranks(2, std::chrono::seconds(20)).run([](OneRank rank) {
      const auto data = rank.backend->allocate(Stream::tensor, 10);
      rank.everyone->all_reduce(data->elements().first(rank.own == 0 ? 10 : 8));
      std::vector<float> values(10);
      data->read(values);
    });
  });
  EXPECT_NE(text.find("member 0 calls all_reduce of 10 floats, root 0; member 1 calls all_reduce of 8 floats, root 0"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace trainwright::executor
