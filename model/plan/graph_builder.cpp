// Builds the execution graph of a plan: one program per pipeline stage.
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/plan.hpp"
#include "model/plan/stage_program.hpp"

namespace trainwright::model {

ExecutionGraph build_execution_graph(const Plan& plan) {
  const std::vector<LoweredPart> parts = lower_model(plan);
  std::vector<Program> programs;
  for (int stage = 0; stage < plan.layout.pp; ++stage)
    programs.push_back(StageProgram(plan, parts, stage).build());
  Placement placement(plan.layout, plan.cluster);
  std::vector<ProgramId> program_of_rank;
  for (int rank = 0; rank < placement.world_size(); ++rank)
    program_of_rank.push_back(ProgramId(placement.stage(RankId(rank)).value()));
  return {std::move(placement), std::move(programs), std::move(program_of_rank)};
}

}  // namespace trainwright::model
