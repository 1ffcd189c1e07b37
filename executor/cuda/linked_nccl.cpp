// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstring>

#include "executor/cuda/linked_api.hpp"

namespace trainwright::executor {
namespace {

static_assert(kNcclInProgress == ncclInProgress);
static_assert(kNcclRemoteError == ncclRemoteError);
static_assert(kNcclNoColor == NCCL_SPLIT_NOCOLOR);
static_assert(sizeof(NcclUniqueId) == sizeof(ncclUniqueId));

ncclComm_t handle(ApiCommunicator* communicator) {
  return reinterpret_cast<ncclComm_t>(communicator);  // NOLINT: an opaque handle on both sides
}
cudaStream_t handle(ApiStream* stream) {
  return reinterpret_cast<cudaStream_t>(stream);  // NOLINT: as above
}
// NCCL writes the handle later, from its own thread, so it gets the place itself and not a copy of it.
ncclComm_t* place(ApiCommunicator*& communicator) {
  return reinterpret_cast<ncclComm_t*>(&communicator);  // NOLINT: as above
}

ApiResult result(ncclResult_t code) {
  return {ApiLibrary::nccl, code};
}

ncclConfig_t non_blocking() {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  return config;
}

class LinkedNccl final : public NcclApi {
 public:
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override {
    int version = 0;
    if (ncclGetVersion(&version) != ncclSuccess)
      return {};
    return {{"nccl", std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
                         std::to_string(version % 100)}};
  }
  [[nodiscard]] std::string text(int code) override {
    const std::string words = ncclGetErrorString(static_cast<ncclResult_t>(code));
    const char* last = ncclGetLastError(nullptr);
    return last == nullptr || *last == '\0' ? words : words + ": " + last;
  }

  ApiResult unique_id(NcclUniqueId& id) override {
    ncclUniqueId made{};
    const ncclResult_t code = ncclGetUniqueId(&made);
    std::memcpy(id.data(), &made, sizeof made);
    return result(code);
  }
  ApiResult init_rank(ApiCommunicator*& communicator, int ranks, const NcclUniqueId& id, int rank) override {
    ncclUniqueId shared{};
    std::memcpy(&shared, id.data(), sizeof shared);
    ncclConfig_t config = non_blocking();
    return result(ncclCommInitRankConfig(place(communicator), ranks, shared, rank, &config));
  }
  ApiResult split(ApiCommunicator* parent, int color, int key, ApiCommunicator*& communicator) override {
    ncclConfig_t config = non_blocking();
    return result(ncclCommSplit(handle(parent), color, key, place(communicator), &config));
  }
  ApiResult async_error(ApiCommunicator* communicator, ApiResult& state) override {
    ncclResult_t found = ncclSuccess;
    const ncclResult_t code = ncclCommGetAsyncError(handle(communicator), &found);
    state = result(found);
    return result(code);
  }
  ApiResult finalize(ApiCommunicator* communicator) override { return result(ncclCommFinalize(handle(communicator))); }
  ApiResult destroy(ApiCommunicator* communicator) override { return result(ncclCommDestroy(handle(communicator))); }
  ApiResult abort(ApiCommunicator* communicator) override { return result(ncclCommAbort(handle(communicator))); }
  ApiResult register_buffer(ApiCommunicator* communicator, void* buffer, std::size_t bytes,
                            void*& registration) override {
    return result(ncclCommRegister(handle(communicator), buffer, bytes, &registration));
  }
  ApiResult deregister_buffer(ApiCommunicator* communicator, void* registration) override {
    return result(ncclCommDeregister(handle(communicator), registration));
  }

  ApiResult group_start() override { return result(ncclGroupStart()); }
  ApiResult group_end() override { return result(ncclGroupEnd()); }
  ApiResult all_reduce(float* data, std::size_t count, ApiCommunicator* communicator, ApiStream* stream) override {
    return result(ncclAllReduce(data, data, count, ncclFloat, ncclSum, handle(communicator), handle(stream)));
  }
  ApiResult all_gather(float* data, std::size_t block, ApiCommunicator* communicator, ApiStream* stream) override {
    const float* own = data + block * own_rank(communicator);
    return result(ncclAllGather(own, data, block, ncclFloat, handle(communicator), handle(stream)));
  }
  ApiResult reduce_scatter(float* data, std::size_t block, ApiCommunicator* communicator, ApiStream* stream) override {
    float* own = data + block * own_rank(communicator);
    return result(ncclReduceScatter(data, own, block, ncclFloat, ncclSum, handle(communicator), handle(stream)));
  }
  ApiResult broadcast(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                      ApiStream* stream) override {
    return result(ncclBroadcast(data, data, count, ncclFloat, root, handle(communicator), handle(stream)));
  }
  ApiResult reduce(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                   ApiStream* stream) override {
    return result(ncclReduce(data, data, count, ncclFloat, ncclSum, root, handle(communicator), handle(stream)));
  }
  ApiResult send(const float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                 ApiStream* stream) override {
    return result(ncclSend(data, count, ncclFloat, peer, handle(communicator), handle(stream)));
  }
  ApiResult receive(float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                    ApiStream* stream) override {
    return result(ncclRecv(data, count, ncclFloat, peer, handle(communicator), handle(stream)));
  }

 private:
  // Known since the communicator is there; it fails only on what is none.
  static std::size_t own_rank(ApiCommunicator* communicator) {
    int rank = 0;
    static_cast<void>(ncclCommUserRank(handle(communicator), &rank));
    return static_cast<std::size_t>(rank);
  }
};

}  // namespace

std::shared_ptr<NcclApi> make_linked_nccl() {
  return std::make_shared<LinkedNccl>();
}

}  // namespace trainwright::executor
