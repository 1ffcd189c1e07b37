// The timeline of a CUDA device: an event before and after each task says when it ran, and makes tasks of other streams
// wait for it on the device, without the host. Two more events at known moments of the host's clock turn the device's
// times into those of the host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "executor/backend/backend.hpp"
#include "executor/cuda/device_queues.hpp"
#include "executor/session/task_timeline.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// `program` and `backend` must outlive it; the backend is asked for failures while the host waits. Throws
/// CommunicationError, naming the task that is waited for, when nothing ends for `timeout` or the backend has failed.
[[nodiscard]] std::unique_ptr<TaskTimeline> make_device_timeline(const model::Program& program, model::RankId rank,
                                                                 std::shared_ptr<const DeviceQueues> queues,
                                                                 Backend& backend, std::chrono::milliseconds timeout);

}  // namespace trainwright::executor
