// What the program gets from outside itself, passed in by main: how a plan file becomes a job, and which backends there
// are. Tests pass hand-built graphs and faulty backends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/backend/backend_options.hpp"
#include "executor/session/rank_session.hpp"
#include "model/graph/execution_graph.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::executor {

/// A plan with its execution graph.
struct Job {
  model::Plan plan;
  model::ExecutionGraph graph;
};

/// Why this machine cannot run a job, and what could be done.
struct Obstacle {
  std::string what;
  std::string hint;
};

struct BackendParts {
  std::string name;  ///< "gloo"
  std::function<std::optional<Obstacle>(int ranks)> obstacle;
  /// Allocates what the rank's program needs and reaches the job's rendezvous. The job outlives it.
  std::function<RankParts(const Job& job, model::RankId rank, const BackendOptions& options)> make_rank;
  /// Host memory that make_rank and the run allocate for one rank, beside the program itself.
  std::function<std::int64_t(const model::ExecutionGraph& graph, model::RankId rank)> host_memory_bytes;
  /// What of the plan is done in another way than the plan says: "bf16 computed in fp32".
  std::function<std::vector<std::string>(const model::ExecutionGraph& graph)> modes;
  /// Libraries that take part, for the measurement's provenance.
  std::function<std::vector<std::pair<std::string, std::string>>()> versions;
  /// Whether a rank computes on a core of its own.
  bool computes_on_cores = true;
};

struct Parts {
  /// Throws InputError.
  std::function<Job(const std::filesystem::path& plan)> load_job;
  /// Those built in, the one to prefer first.
  std::vector<BackendParts> backends;
};

/// Reads trainwright/plan/v1, checks it and builds its graph. Throws InputError with everything that is wrong.
[[nodiscard]] Job load_job(const std::filesystem::path& plan);

/// Plan files, and the backends that this program was built with.
[[nodiscard]] Parts standard_parts();

/// The backend of that name, or for "auto" the first that can run `ranks` ranks here. Throws InputError for an unknown
/// name, EnvironmentError when it is not built in or cannot run here.
[[nodiscard]] const BackendParts& choose_backend(const Parts& parts, const std::string& name, int ranks);

}  // namespace trainwright::executor
