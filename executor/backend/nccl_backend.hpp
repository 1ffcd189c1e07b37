// Backend on NCCL: one GPU for each rank. The group of all ranks is made from a unique id that travels through the
// rendezvous store; the groups of the step are split from it, round by round. Every operation is queued on the device
// stream of its group. Ring shift and all-to-all are grouped sends and receives. Nothing waits inside NCCL or CUDA:
// whoever waits asks again and again, so that a time-out, a failure in the background and an abort are all seen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "executor/backend/backend.hpp"
#include "executor/backend/backend_options.hpp"
#include "executor/cuda/device_queues.hpp"

namespace trainwright::executor {

/// Throws EnvironmentError when the rendezvous store cannot be reached. options.interface is NCCL's NCCL_SOCKET_IFNAME,
/// set by whoever starts the process.
[[nodiscard]] std::unique_ptr<Backend> make_nccl_backend(const BackendOptions& options,
                                                         std::shared_ptr<const DeviceQueues> queues);

}  // namespace trainwright::executor
