// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/gloo_backend.hpp"

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/config.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/tcp/device.h>

#include <ifaddrs.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>

#include "executor/backend/abortable_waits.hpp"
#include "executor/backend/gloo_reduce_scatter.hpp"
#include "executor/rendezvous/store_client.hpp"
#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

// Messages of the graph use slots of their own, apart from those that Gloo's collectives build from their prefixes.
constexpr std::uint64_t kMessageSlot = std::uint64_t{0x40} << 56U;
constexpr std::uint64_t kShiftSlot = std::uint64_t{0x41} << 56U;

// Names of the network interfaces that have an address.
std::set<std::string> network_interfaces() {
  std::set<std::string> names;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0)
    return names;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next)
    if (at->ifa_addr != nullptr)
      names.insert(at->ifa_name);
  ::freeifaddrs(list);
  return names;
}

// Before Gloo is asked, which only says that it found no match, and leaks.
void check_interface(const std::string& name) {
  const std::set<std::string> known = network_interfaces();
  if (known.count(name) > 0)
    return;
  std::string words;
  for (const std::string& one : known)
    words += (words.empty() ? "" : ", ") + one;
  throw model::EnvironmentError("network interface \"" + name + "\" is not here; this machine has: " + words);
}

class RendezvousStore final : public gloo::rendezvous::Store {
 public:
  explicit RendezvousStore(StoreClient& client) : client_(&client) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    client_->set(key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const std::string value = client_->get(key, client_->timeout());
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override { wait(keys, client_->timeout()); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
    for (const std::string& key : keys)
      static_cast<void>(client_->get(key, timeout));
  }

 private:
  StoreClient* client_;
};

void add(void* out, const void* a, const void* b, std::size_t count) {
  auto* const sum = static_cast<float*>(out);
  const auto* const x = static_cast<const float*>(a);
  const auto* const y = static_cast<const float*>(b);
  for (std::size_t i = 0; i < count; ++i)
    sum[i] = x[i] + y[i];
}

class GlooCommunicator final : public Communicator {
 public:
  GlooCommunicator(std::shared_ptr<gloo::Context> context, GroupOptions group, std::shared_ptr<AbortableWaits> waits)
      : context_(std::move(context)), group_(std::move(group)), waits_(std::move(waits)) {}

  void all_reduce(Elements data) override {
    guarded("all_reduce", [&] {
      gloo::AllreduceOptions options(context_);
      options.setOutput(data.data(), data.size());
      options.setReduceFunction(&add);
      options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
      options.setTag(next_tag());
      gloo::allreduce(options);
    });
  }

  void all_gather(Elements data) override {
    const std::size_t block = block_size(data);
    guarded("all_gather", [&] {
      gloo::AllgatherOptions options(context_);
      options.setInput(data.data() + block * static_cast<std::size_t>(group_.own_index), block);
      options.setOutput(data.data(), data.size());
      options.setTag(next_tag());
      gloo::allgather(options);
    });
  }

  void reduce_scatter(Elements data) override {
    const std::size_t block = block_size(data);
    guarded("reduce_scatter", [&] { ring_reduce_scatter(*context_, data, block, next_tag(), scratch_); });
  }

  void all_to_all(Elements input, Elements output) override {
    static_cast<void>(block_size(input));
    TRAINWRIGHT_EXPECTS(input.size() == output.size(), group_.name);
    guarded("all_to_all", [&] {
      gloo::AlltoallOptions options(context_);
      options.setInput(input.data(), input.size());
      options.setOutput(output.data(), output.size());
      options.setTag(next_tag());
      gloo::alltoall(options);
    });
  }

  void ring_shift(Elements input, Elements output) override {
    TRAINWRIGHT_EXPECTS(input.size() == output.size(), group_.name);
    guarded("ring_shift", [&] {
      const int members = static_cast<int>(group_.members.size());
      const std::uint64_t slot = kShiftSlot | next_tag();
      const auto to = context_->createUnboundBuffer(input.data(), input.size_bytes());
      const auto from = context_->createUnboundBuffer(output.data(), output.size_bytes());
      const AbortableWaits::Entry receiving(*waits_, *from);
      const AbortableWaits::Entry sending(*waits_, *to);
      from->recv((group_.own_index + members - 1) % members, slot);
      to->send((group_.own_index + 1) % members, slot);
      if (!from->waitRecv(context_->getTimeout()) || !to->waitSend(context_->getTimeout()))
        throw CommunicationError("aborted");
    });
  }

  void broadcast(Elements data, int root) override {
    guarded("broadcast", [&] {
      gloo::BroadcastOptions options(context_);
      options.setOutput(data.data(), data.size());
      options.setRoot(root);
      options.setTag(next_tag());
      gloo::broadcast(options);
    });
  }

  void reduce(Elements data, int root) override {
    guarded("reduce", [&] {
      gloo::ReduceOptions options(context_);
      options.setOutput(data.data(), data.size());
      options.setReduceFunction(&add);
      options.setRoot(root);
      options.setTag(next_tag());
      gloo::reduce(options);
    });
  }

  void barrier() override {
    guarded("barrier", [&] {
      gloo::BarrierOptions options(context_);
      options.setTag(next_tag());
      gloo::barrier(options);
    });
  }

  void send(Elements data, int peer, std::int32_t tag) override {
    guarded("send to rank " + rank_text(peer), [&] {
      const auto buffer = context_->createUnboundBuffer(data.data(), data.size_bytes());
      const AbortableWaits::Entry waiting(*waits_, *buffer);
      buffer->send(peer, message_slot(tag));
      if (!buffer->waitSend(context_->getTimeout()))
        throw CommunicationError("aborted");
    });
  }

  void receive(Elements data, int peer, std::int32_t tag) override {
    guarded("receive from rank " + rank_text(peer), [&] {
      const auto buffer = context_->createUnboundBuffer(data.data(), data.size_bytes());
      const AbortableWaits::Entry waiting(*waits_, *buffer);
      buffer->recv(peer, message_slot(tag));
      if (!buffer->waitRecv(context_->getTimeout()))
        throw CommunicationError("aborted");
    });
  }

 private:
  // Gloo throws its own types and standard ones; all of them mean that the operation failed here.
  template <class Action>
  void guarded(const std::string& what, Action action) {
    try {
      action();
    } catch (const std::exception& error) {
      throw CommunicationError(what + " in group " + group_.name + " (ranks " + members_text() + "): " + error.what());
    }
  }

  [[nodiscard]] static std::uint64_t message_slot(std::int32_t tag) {
    return kMessageSlot | static_cast<std::uint32_t>(tag);
  }

  // Each operation has a tag of its own, so that members that fall out of step time out instead of mixing up data.
  std::uint32_t next_tag() { return tag_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::size_t block_size(Elements data) const {
    const std::size_t members = group_.members.size();
    TRAINWRIGHT_EXPECTS(data.size() % members == 0, std::to_string(data.size()) + " in " + group_.name);
    return data.size() / members;
  }

  [[nodiscard]] std::string rank_text(int peer) const {
    return std::to_string(group_.members.at(static_cast<std::size_t>(peer)).value());
  }

  [[nodiscard]] std::string members_text() const {
    std::string text;
    for (const model::RankId member : group_.members)
      text += (text.empty() ? "" : ", ") + std::to_string(member.value());
    return text;
  }

  std::shared_ptr<gloo::Context> context_;
  GroupOptions group_;
  std::shared_ptr<AbortableWaits> waits_;
  std::atomic<std::uint32_t> tag_{0};
  std::vector<float> scratch_;  // of reduce_scatter, kept between calls
};

class GlooBackend final : public Backend {
 public:
  explicit GlooBackend(const BackendOptions& options)
      : timeout_(options.timeout), client_(options.rendezvous, options.secret, options.timeout), store_(client_) {
    if (!options.interface.empty())
      check_interface(options.interface);
    gloo::transport::tcp::attr attributes;
    if (options.interface.empty())
      attributes.hostname = "127.0.0.1";
    else
      attributes.iface = options.interface;
    try {
      device_ = gloo::transport::tcp::CreateDevice(attributes);
    } catch (const std::exception& error) {
      throw model::EnvironmentError(
          (options.interface.empty() ? "the loopback address" : "network interface \"" + options.interface + "\"") +
          " cannot be used: " + error.what());
    }
  }

  [[nodiscard]] Capabilities capabilities() const override { return {"gloo", BufferPlace::host, {gloo_version()}}; }

  [[nodiscard]] std::unique_ptr<Communicator> join(const GroupOptions& group) override {
    try {
      auto context =
          std::make_shared<gloo::rendezvous::Context>(group.own_index, static_cast<int>(group.members.size()));
      context->setTimeout(timeout_);
      gloo::rendezvous::PrefixStore store(group.name, store_);
      context->connectFullMesh(store, device_);
      {
        const std::lock_guard lock(mutex_);
        contexts_.push_back(context);
      }
      auto communicator = std::make_unique<GlooCommunicator>(std::move(context), group, waits_);
      // Connected on this side is not connected on the other: Gloo ends the process of a member whose peer leaves
      // before.
      communicator->barrier();
      return communicator;
    } catch (const std::exception& error) {
      throw CommunicationError("joining group " + group.name + ": " + error.what());
    }
  }

  void abort() noexcept override {
    waits_->abort();
    const std::lock_guard lock(mutex_);
    for (const auto& context : contexts_) {
      try {
        context->closeConnections();
      } catch (const std::exception&) {
        continue;  // already closed, which is what is wanted
      }
    }
  }

 private:
  std::chrono::milliseconds timeout_;
  StoreClient client_;
  RendezvousStore store_;
  std::shared_ptr<gloo::transport::Device> device_;
  std::shared_ptr<AbortableWaits> waits_ = std::make_shared<AbortableWaits>();
  std::mutex mutex_;
  std::vector<std::shared_ptr<gloo::rendezvous::Context>> contexts_;
};

}  // namespace

std::pair<std::string, std::string> gloo_version() {
  return {"gloo", std::to_string(GLOO_VERSION_MAJOR) + "." + std::to_string(GLOO_VERSION_MINOR) + "." +
                      std::to_string(GLOO_VERSION_PATCH)};
}

std::unique_ptr<Backend> make_gloo_backend(const BackendOptions& options) {
  return std::make_unique<GlooBackend>(options);
}

}  // namespace trainwright::executor
