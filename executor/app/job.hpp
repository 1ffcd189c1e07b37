// What the program gets from outside itself, passed in by main: how a plan file becomes a job, which backend and which
// compute engine run it. Tests pass hand-built graphs and faulty backends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "executor/backend/gloo_backend.hpp"
#include "executor/session/compute_engine.hpp"
#include "model/graph/execution_graph.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::executor {

/// A plan with its execution graph.
struct Job {
  model::Plan plan;
  model::ExecutionGraph graph;
};

struct Parts {
  /// Throws InputError.
  std::function<Job(const std::filesystem::path& plan)> load_job;
  std::function<std::unique_ptr<Backend>(const GlooOptions&)> make_backend;
  /// Allocates what the program needs.
  std::function<std::unique_ptr<ComputeEngine>(const model::Program&)> make_engine;
  /// What make_engine would allocate.
  std::function<std::int64_t(const model::Program&)> engine_memory_bytes;
  /// Libraries that take part, for the measurement's provenance.
  std::vector<std::pair<std::string, std::string>> versions;
};

/// Reads trainwright/plan/v1, checks it and builds its graph. Throws InputError with everything that is wrong.
[[nodiscard]] Job load_job(const std::filesystem::path& plan);

/// Plan files, Gloo, CPU kernels.
[[nodiscard]] Parts standard_parts();

}  // namespace trainwright::executor
