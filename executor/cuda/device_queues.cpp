// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/device_queues.hpp"

#include "executor/cuda/device_error.hpp"

namespace trainwright::executor {

DeviceQueues::DeviceQueues(const DeviceApi& api, int index) : device_(api, index) {
  for (std::size_t i = 0; i < model::kStreamCount + 1; ++i)
    streams_.emplace_back(
        api, i == static_cast<std::size_t>(model::Stream::compute) ? Stream::Urgency::normal : Stream::Urgency::urgent);
}

ApiStream* DeviceQueues::of(std::optional<model::Stream> stream) const {
  return streams_[stream ? static_cast<std::size_t>(*stream) : model::kStreamCount].get();
}

bool DeviceQueues::is_idle(std::optional<model::Stream> stream) const {
  const ApiResult result = api().cuda->query_stream(of(stream));
  if (result.code == kCudaNotReady)
    return false;
  check(api(), "cudaStreamQuery", result);
  return true;
}

}  // namespace trainwright::executor
