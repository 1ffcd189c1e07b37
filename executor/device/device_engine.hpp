// The compute engine on a CUDA device: products by cuBLASLt in the plan's formats, attention as products with a softmax
// between them, everything else by our own kernels. Operands lie in rings of device memory, as those of the CPU engine
// do (kernels/operand_ring.hpp). Work is queued on the device stream of the task.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "executor/cuda/device_queues.hpp"
#include "executor/session/compute_engine.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Allocates and fills the memory of the program's tasks. Throws InputError for formats that it does not compute,
/// EnvironmentError where the card lacks one or has too little free memory.
[[nodiscard]] std::unique_ptr<ComputeEngine> make_device_engine(const model::Program& program,
                                                                std::shared_ptr<const DeviceQueues> queues);

}  // namespace trainwright::executor
