// The operations of one group on NCCL, and the buffers that they work on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "executor/backend/backend.hpp"
#include "executor/backend/nccl_handle.hpp"
#include "executor/cuda/device_queues.hpp"

namespace trainwright::executor {

/// Waits for what a stream has been given; throws CommunicationError. Provided by the backend, which knows about
/// failures of all groups.
using WaitForStream = std::function<void(const std::string& what, std::optional<model::Stream> stream)>;

class NcclCommunicator final : public Communicator {
 public:
  /// `handle` is ready for use.
  NcclCommunicator(std::shared_ptr<NcclHandle> handle, const GroupOptions& group,
                   std::shared_ptr<const DeviceQueues> queues, WaitForStream wait);
  ~NcclCommunicator() override;
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  void announce(Elements memory) override;
  void all_reduce(Elements data) override;
  void all_gather(Elements data) override;
  void reduce_scatter(Elements data) override;
  void all_to_all(Elements input, Elements output) override;
  void ring_shift(Elements input, Elements output) override;
  void broadcast(Elements data, int root) override;
  void reduce(Elements data, int root) override;
  void barrier() override;
  void send(Elements data, int peer, std::int32_t tag) override;
  void receive(Elements data, int peer, std::int32_t tag) override;

 private:
  [[nodiscard]] std::size_t block_size(Elements data) const;
  [[nodiscard]] std::string rank_text(int peer) const;
  /// A group of sends and receives: launched together, so that none waits for another.
  void grouped(const std::string& what, const std::function<ApiResult(ApiCommunicator*)>& calls);

  std::shared_ptr<NcclHandle> handle_;
  GroupOptions group_;
  std::shared_ptr<const DeviceQueues> queues_;
  WaitForStream wait_;
  ApiStream* stream_;
  NcclApi* nccl_;
  DeviceBuffer token_;  // of barriers
  std::vector<void*> registrations_;
};

/// Device memory on one stream; the host's side of it waits through `wait`.
[[nodiscard]] std::unique_ptr<Buffer> make_device_buffer(std::shared_ptr<const DeviceQueues> queues,
                                                         std::optional<model::Stream> stream, std::size_t elements,
                                                         WaitForStream wait);

}  // namespace trainwright::executor
