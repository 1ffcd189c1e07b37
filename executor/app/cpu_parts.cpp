// SPDX-License-Identifier: Apache-2.0
#include "executor/app/cpu_parts.hpp"

#include "executor/app/cpu_engine.hpp"
#include "executor/app/gemm_kernels.hpp"
#include "executor/backend/gloo_backend.hpp"
#include "executor/measurement/measure_main.hpp"
#include "executor/process/memory.hpp"
#include "executor/session/communication_plan.hpp"

namespace trainwright::executor {

std::vector<BackendParts> cpu_backends() {
  BackendParts gloo;
  gloo.name = "gloo";
  gloo.obstacle = [](int) { return std::optional<Obstacle>(); };
  gloo.make_rank = [](const Job& job, model::RankId rank, const BackendOptions& options) {
    RankParts parts;
    parts.engine = make_cpu_engine(job.graph.program_of_rank(rank));
    parts.backend = make_gloo_backend(options);
    parts.peak_memory_bytes = &peak_resident_bytes;
    return parts;
  };
  gloo.host_memory_bytes = [](const model::ExecutionGraph& graph, model::RankId rank) {
    return cpu_engine_memory_bytes(graph.program_of_rank(rank)) + CommunicationPlan(graph, rank).memory_bytes();
  };
  gloo.modes = &precision_modes;
  gloo.versions = [] { return std::vector<std::pair<std::string, std::string>>{gloo_version(), cpu_engine_version()}; };
  return {gloo};
}

int measure_command(int argc, char** argv) {
  return measure_main(argc, argv);
}

void prepare_process(char** argv) {
  use_suitable_gemm_kernels(argv);
}

}  // namespace trainwright::executor
