// What the environment of a launch says against the plan: variables that switch a transport off, interfaces that reach
// no other node, shared memory that is too small. Checked before a run, on values; nothing is read here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

struct LaunchEnvironment {
  std::map<std::string, std::string> variables;
  std::vector<std::string> interfaces;     ///< of a node; empty: not known
  std::optional<ByteCount> shared_memory;  ///< of a container, /dev/shm
};

/// Errors: a transport the plan counts on is switched off. Warnings: an interface setting that leaves loopback or a
/// bridge, shared memory for too few segments.
[[nodiscard]] Diagnostics check_environment(const LaunchEnvironment& environment, const Plan& plan);

/// Segments of `segment` bytes that fit.
[[nodiscard]] std::int64_t shared_memory_segments(ByteCount shared_memory, ByteCount segment);

}  // namespace trainwright::model
