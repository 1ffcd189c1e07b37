// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/nccl_communicator.hpp"

#include <string>

#include "executor/cuda/device_error.hpp"
#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

class StreamBuffer final : public Buffer {
 public:
  StreamBuffer(std::shared_ptr<const DeviceQueues> queues, std::optional<model::Stream> stream, std::size_t elements,
               WaitForStream wait)
      : queues_(std::move(queues)),
        stream_(stream),
        memory_(queues_->api(), elements * sizeof(float)),
        wait_(std::move(wait)) {
    if (elements == 0)
      return;
    check(queues_->api(), "cudaMemsetAsync",
          queues_->api().cuda->set_bytes(memory_.data(), 0, memory_.bytes(), queues_->of(stream_)));
    wait_("clearing a buffer", stream_);
  }

  [[nodiscard]] Elements elements() override {
    return {reinterpret_cast<float*>(memory_.data()), memory_.bytes() / sizeof(float)};  // NOLINT: device memory
  }

  // The copy has ended when the call returns: the values are the caller's.
  void write(std::span<const float> values) override {
    if (values.empty())
      return;
    TRAINWRIGHT_EXPECTS(values.size_bytes() <= memory_.bytes(), std::to_string(values.size()));
    check(
        queues_->api(), "cudaMemcpyAsync",
        queues_->api().cuda->copy_to_device(memory_.data(), values.data(), values.size_bytes(), queues_->of(stream_)));
    wait_("writing a buffer", stream_);
  }

  void read(std::span<float> values) override {
    if (values.empty())
      return;
    TRAINWRIGHT_EXPECTS(values.size_bytes() <= memory_.bytes(), std::to_string(values.size()));
    // A copy to pageable memory would wait inside CUDA for what was queued before, where no time-out reaches.
    wait_("an operation", stream_);
    check(queues_->api(), "cudaMemcpyAsync",
          queues_->api().cuda->copy_to_host(values.data(), memory_.data(), values.size_bytes(), queues_->of(stream_)));
    wait_("reading a buffer", stream_);
  }

 private:
  std::shared_ptr<const DeviceQueues> queues_;
  std::optional<model::Stream> stream_;
  DeviceBuffer memory_;
  WaitForStream wait_;
};

// The first that is no success; NCCL may answer "in progress" to calls that are then launched all the same.
ApiResult first_failure(std::initializer_list<ApiResult> results) {
  for (const ApiResult& result : results)
    if (!result.ok() && result.code != kNcclInProgress)
      return result;
  return {ApiLibrary::nccl, 0};
}

}  // namespace

std::unique_ptr<Buffer> make_device_buffer(std::shared_ptr<const DeviceQueues> queues,
                                           std::optional<model::Stream> stream, std::size_t elements,
                                           WaitForStream wait) {
  return std::make_unique<StreamBuffer>(std::move(queues), stream, elements, std::move(wait));
}

NcclCommunicator::NcclCommunicator(std::shared_ptr<NcclHandle> handle, const GroupOptions& group,
                                   std::shared_ptr<const DeviceQueues> queues, WaitForStream wait)
    : handle_(std::move(handle)),
      group_(group),
      queues_(std::move(queues)),
      wait_(std::move(wait)),
      stream_(queues_->of(group_.stream)),
      nccl_(queues_->api().nccl.get()),
      token_(queues_->api(), sizeof(float)) {
  check(queues_->api(), "cudaMemsetAsync", queues_->api().cuda->set_bytes(token_.data(), 0, token_.bytes(), stream_));
}

NcclCommunicator::~NcclCommunicator() {
  try {
    for (void* registration : registrations_)
      handle_->run("leaving", "ncclCommDeregister",
                   [&](ApiCommunicator* communicator) { return nccl_->deregister_buffer(communicator, registration); });
  } catch (const CommunicationError&) {
    registrations_.clear();  // aborted: they went with the communicator
  }
  handle_->close();
}

void NcclCommunicator::announce(Elements memory) {
  void* registration = nullptr;
  handle_->run("registering a buffer", "ncclCommRegister", [&](ApiCommunicator* communicator) {
    return nccl_->register_buffer(communicator, memory.data(), memory.size_bytes(), registration);
  });
  if (registration != nullptr)  // null where NCCL has no use for it
    registrations_.push_back(registration);
}

void NcclCommunicator::all_reduce(Elements data) {
  handle_->run("all_reduce", "ncclAllReduce", [&](ApiCommunicator* communicator) {
    return nccl_->all_reduce(data.data(), data.size(), communicator, stream_);
  });
}

void NcclCommunicator::all_gather(Elements data) {
  const std::size_t block = block_size(data);
  handle_->run("all_gather", "ncclAllGather", [&](ApiCommunicator* communicator) {
    return nccl_->all_gather(data.data(), block, communicator, stream_);
  });
}

void NcclCommunicator::reduce_scatter(Elements data) {
  const std::size_t block = block_size(data);
  handle_->run("reduce_scatter", "ncclReduceScatter", [&](ApiCommunicator* communicator) {
    return nccl_->reduce_scatter(data.data(), block, communicator, stream_);
  });
}

void NcclCommunicator::grouped(const std::string& what, const std::function<ApiResult(ApiCommunicator*)>& calls) {
  handle_->run(what, "ncclGroupEnd", [&](ApiCommunicator* communicator) {
    const ApiResult started = nccl_->group_start();
    if (!started.ok())
      return started;
    const ApiResult called = calls(communicator);
    const ApiResult ended = nccl_->group_end();  // also after a failed call: groups of a thread nest
    return called.ok() ? ended : called;
  });
}

void NcclCommunicator::all_to_all(Elements input, Elements output) {
  const std::size_t block = block_size(input);
  TRAINWRIGHT_EXPECTS(input.size() == output.size(), group_.name);
  grouped("all_to_all", [&](ApiCommunicator* communicator) {
    ApiResult result{ApiLibrary::nccl, 0};
    for (std::size_t peer = 0; peer < group_.members.size() && result.ok(); ++peer)
      result = first_failure(
          {nccl_->send(input.data() + peer * block, block, static_cast<int>(peer), communicator, stream_),
           nccl_->receive(output.data() + peer * block, block, static_cast<int>(peer), communicator, stream_)});
    return result;
  });
}

void NcclCommunicator::ring_shift(Elements input, Elements output) {
  TRAINWRIGHT_EXPECTS(input.size() == output.size(), group_.name);
  const int members = static_cast<int>(group_.members.size());
  const int next = (group_.own_index + 1) % members;
  const int previous = (group_.own_index + members - 1) % members;
  grouped("ring_shift", [&](ApiCommunicator* communicator) {
    return first_failure({nccl_->send(input.data(), input.size(), next, communicator, stream_),
                          nccl_->receive(output.data(), output.size(), previous, communicator, stream_)});
  });
}

void NcclCommunicator::broadcast(Elements data, int root) {
  handle_->run("broadcast", "ncclBroadcast", [&](ApiCommunicator* communicator) {
    return nccl_->broadcast(data.data(), data.size(), root, communicator, stream_);
  });
}

void NcclCommunicator::reduce(Elements data, int root) {
  handle_->run("reduce", "ncclReduce", [&](ApiCommunicator* communicator) {
    return nccl_->reduce(data.data(), data.size(), root, communicator, stream_);
  });
}

void NcclCommunicator::barrier() {
  handle_->run("barrier", "ncclAllReduce", [&](ApiCommunicator* communicator) {
    return nccl_->all_reduce(reinterpret_cast<float*>(token_.data()), 1, communicator, stream_);  // NOLINT: as above
  });
  wait_("barrier in " + handle_->group(), group_.stream);
}

void NcclCommunicator::send(Elements data, int peer, std::int32_t) {
  handle_->run("send to rank " + rank_text(peer), "ncclSend", [&](ApiCommunicator* communicator) {
    return nccl_->send(data.data(), data.size(), peer, communicator, stream_);
  });
}

void NcclCommunicator::receive(Elements data, int peer, std::int32_t) {
  handle_->run("receive from rank " + rank_text(peer), "ncclRecv", [&](ApiCommunicator* communicator) {
    return nccl_->receive(data.data(), data.size(), peer, communicator, stream_);
  });
}

std::size_t NcclCommunicator::block_size(Elements data) const {
  const std::size_t members = group_.members.size();
  TRAINWRIGHT_EXPECTS(data.size() % members == 0, std::to_string(data.size()) + " in " + group_.name);
  return data.size() / members;
}

std::string NcclCommunicator::rank_text(int peer) const {
  return std::to_string(group_.members.at(static_cast<std::size_t>(peer)).value());
}

}  // namespace trainwright::executor
