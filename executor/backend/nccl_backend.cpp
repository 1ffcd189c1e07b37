// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/nccl_backend.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "executor/backend/nccl_communicator.hpp"
#include "executor/backend/nccl_handle.hpp"
#include "executor/cuda/device_error.hpp"
#include "executor/cuda/patience.hpp"
#include "executor/rendezvous/store_client.hpp"
#include "model/base/contract.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

std::string group_text(const GroupOptions& group) {
  std::string members;
  for (const model::RankId member : group.members)
    members += (members.empty() ? "" : ", ") + std::to_string(member.value());
  return "group " + group.name + " (ranks " + members + ")";
}

class NcclBackend final : public Backend {
 public:
  NcclBackend(const BackendOptions& options, std::shared_ptr<const DeviceQueues> queues)
      : timeout_(options.timeout),
        client_(options.rendezvous, options.secret, options.timeout),
        queues_(std::move(queues)) {}

  [[nodiscard]] Capabilities capabilities() const override {
    return {"nccl", BufferPlace::device, versions(queues_->api())};
  }

  [[nodiscard]] std::unique_ptr<Communicator> join(const GroupOptions& group) override {
    auto handle = new_handle(group);
    const NcclUniqueId id = shared_id(group);
    handle->create("ncclCommInitRankConfig", [&](ApiCommunicator*& communicator) {
      return queues_->api().nccl->init_rank(communicator, static_cast<int>(group.members.size()), id, group.own_index);
    });
    if (!everyone_ || group.members.size() > everyone_size_) {
      everyone_ = handle;
      everyone_size_ = group.members.size();
    }
    return communicator(std::move(handle), group);
  }

  // A split is a call of all members of the parent, also of those that are in no group of the round.
  [[nodiscard]] std::vector<std::unique_ptr<Communicator>> split(const std::vector<GroupOptions>& groups,
                                                                 int rounds) override {
    std::vector<std::unique_ptr<Communicator>> communicators;
    auto group = groups.begin();
    for (int round = 0; round < rounds; ++round) {
      const bool is_mine = group != groups.end() && group->round == round;
      TRAINWRIGHT_EXPECTS(everyone_ != nullptr, "the group of all ranks was not joined");
      auto handle = new_handle(is_mine ? *group : GroupOptions{"none", {}, 0, std::nullopt, round});
      // The first member is in one group of the round only.
      handle->split_from(*everyone_, is_mine ? static_cast<int>(group->members.front().value()) : kNcclNoColor,
                         is_mine ? group->own_index : 0);
      if (!is_mine)
        continue;
      communicators.push_back(communicator(std::move(handle), *group));
      ++group;
    }
    TRAINWRIGHT_EXPECTS(group == groups.end(), "groups are not sorted by round");
    return communicators;
  }

  [[nodiscard]] std::unique_ptr<Buffer> allocate(std::optional<model::Stream> stream, std::size_t elements) override {
    queues_->device().make_current();
    return make_device_buffer(queues_, stream, elements, waiter());
  }

  void check() override {
    for (const auto& handle : handles())
      handle->check();
  }

  void abort() noexcept override {
    aborted_ = true;
    for (const auto& handle : handles())
      handle->abort();
  }

 private:
  std::shared_ptr<NcclHandle> new_handle(const GroupOptions& group) {
    auto handle = std::make_shared<NcclHandle>(queues_->api(), group_text(group), timeout_, [this] { abort(); });
    const std::lock_guard lock(mutex_);
    if (aborted_)
      handle->abort();
    handles_.push_back(handle);
    return handle;
  }

  std::vector<std::shared_ptr<NcclHandle>> handles() {
    const std::lock_guard lock(mutex_);
    return handles_;
  }

  std::unique_ptr<Communicator> communicator(std::shared_ptr<NcclHandle> handle, const GroupOptions& group) {
    return std::make_unique<NcclCommunicator>(std::move(handle), group, queues_, waiter());
  }

  NcclUniqueId shared_id(const GroupOptions& group) {
    const std::string key = "nccl-id/" + group.name;
    NcclUniqueId id{};
    if (group.own_index == 0) {
      executor::check(queues_->api(), "ncclGetUniqueId", queues_->api().nccl->unique_id(id));
      client_.set(key, std::string(id.begin(), id.end()));
      return id;
    }
    const std::string value = stored(group, key);
    TRAINWRIGHT_EXPECTS(value.size() == id.size(), std::to_string(value.size()));
    std::copy(value.begin(), value.end(), id.begin());
    return id;
  }

  // Nobody sets it where the first member failed before.
  std::string stored(const GroupOptions& group, const std::string& key) {
    try {
      return client_.get(key, timeout_);
    } catch (const model::EnvironmentError& error) {
      throw CommunicationError("joining " + group_text(group) + ": " + error.what());
    }
  }

  WaitForStream waiter() {
    return [this](const std::string& what, std::optional<model::Stream> stream) { wait(what, stream); };
  }

  // As a failing handle does: all is aborted before memory is given back, which waits for the device.
  void wait(const std::string& what, std::optional<model::Stream> stream) {
    try {
      wait_until_idle(what, stream);
    } catch (const model::EnvironmentError&) {
      abort();
      throw;
    }
  }

  void wait_until_idle(const std::string& what, std::optional<model::Stream> stream) {
    const Patience patience(timeout_);
    while (!queues_->is_idle(stream)) {
      check();
      if (patience.is_exhausted())
        throw CommunicationError(what + ": not done after " +
                                 model::format(model::Seconds(std::chrono::duration<double>(timeout_).count())));
      patience.pause();
    }
    check();  // an aborted operation ends too
  }

  std::chrono::milliseconds timeout_;
  StoreClient client_;
  std::shared_ptr<const DeviceQueues> queues_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<NcclHandle>> handles_;
  std::shared_ptr<NcclHandle> everyone_;
  std::size_t everyone_size_ = 0;
  std::atomic<bool> aborted_{false};
};

}  // namespace

std::unique_ptr<Backend> make_nccl_backend(const BackendOptions& options, std::shared_ptr<const DeviceQueues> queues) {
  return std::make_unique<NcclBackend>(options, std::move(queues));
}

}  // namespace trainwright::executor
