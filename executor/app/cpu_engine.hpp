// The compute engine on CPUs. Narrower formats of a plan are computed in fp32, since CPUs have no fast arithmetic for
// them; narrowed_precisions() names them for the modes of a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "executor/session/compute_engine.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Allocates and touches the memory of the program's tasks. Throws EnvironmentError when there is none.
[[nodiscard]] std::unique_ptr<ComputeEngine> make_cpu_engine(const model::Program& program);
[[nodiscard]] std::int64_t cpu_engine_memory_bytes(const model::Program& program);
/// Library and version of what does the arithmetic.
[[nodiscard]] std::pair<std::string, std::string> cpu_engine_version();

/// "bf16 computed in fp32", for each such precision in the graph.
[[nodiscard]] std::vector<std::string> precision_modes(const model::ExecutionGraph& graph);

}  // namespace trainwright::executor
