// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_memory.hpp"

#include "executor/cuda/device_error.hpp"
#include "model/base/error.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

// Before anything is taken, so that the message can name the whole.
const DeviceApi& with_room_for(const DeviceQueues& queues, const MemoryPlan& plan) {
  const model::ByteCount free(queues.device().free_bytes());
  if (plan.total() > free)
    throw model::EnvironmentError("the tasks of this rank need " + model::format(plan.total()) + " of memory of " +
                                      queues.device().properties().name + ", " + model::format(free) + " are free",
                                  "use a smaller micro-batch or model, more stages or shards, or a larger card");
  return queues.api();
}

}  // namespace

DeviceMemory::DeviceMemory(const DeviceQueues& queues, const MemoryPlan& plan, ElementType type)
    : activations(with_room_for(queues, plan), plan.activations),
      activation_gradients(queues.api(), plan.activation_gradients),
      weights(queues.api(), plan.weights),
      weight_gradients(queues.api(), plan.weight_gradients),
      first_moments(queues.api(), plan.moments),
      second_moments(queues.api(), plan.moments),
      work(queues.api(), static_cast<std::size_t>(plan.work)),
      sink(queues.api(), sizeof(float)),
      gemm_workspace(queues.api(), queues.api().math->gemm_workspace_bytes()) {
  const auto fill = [&](const DeviceBuffer& buffer, bool positive) {
    const FillCall call{buffer.data(), static_cast<std::int64_t>(buffer.bytes() / element_bytes(type)), type, positive};
    if (call.count > 0)
      check(queues.api(), "fill_pattern", queues.api().math->fill_pattern(call, queues.of(model::Stream::compute)));
  };
  // Products of weights below 1 with the factor 1/k stay bounded by their inputs; all of one sign, they do not vanish.
  fill(activations.buffer(), false);
  fill(activation_gradients.buffer(), false);
  fill(weights.buffer(), true);
  fill(weight_gradients.buffer(), false);
  fill(first_moments.buffer(), false);
  fill(second_moments.buffer(), true);
  fill(work, false);
}

}  // namespace trainwright::executor
