// The execution graph of a plan: for every rank an ordered list of tasks on streams, with dependencies.
//
// Ranks that do the same share one Program; references inside it are relative (group axis, stage of the peer) and are
// resolved for a rank through the Placement. A job of 16,384 ranks on 16 stages therefore stores 16 programs.
//
// Precedence: (1) tasks of one stream run in program order; (2) dependencies inside a program; (3) a receive ends after
// the send with the same direction and tag has started; (4) a collective starts when all members have reached it.
// check() proves with Boost.Graph that these do not form a cycle and that every message and collective is matched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/task.hpp"
#include "model/plan/placement.hpp"

namespace trainwright::model {

/// `after` starts when `before` has ended; both of one program.
struct Dependency {
  TaskId before;
  TaskId after;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct ResidentMemory {
  MemoryTerm term = MemoryTerm::weights;
  ByteCount bytes;
};

struct Program {
  StageId stage = StageId(0);
  std::vector<Task> tasks;
  std::vector<Dependency> dependencies;  ///< sorted by `after`
  std::vector<ResidentMemory> resident;  ///< held through the whole step
};

class ExecutionGraph {
 public:
  ExecutionGraph(Placement placement, std::vector<Program> programs, std::vector<ProgramId> program_of_rank);

  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] int rank_count() const { return placement_.world_size(); }
  [[nodiscard]] std::size_t program_count() const { return programs_.size(); }
  [[nodiscard]] const Program& program(ProgramId id) const { return programs_[id.index()]; }
  [[nodiscard]] ProgramId program_of(RankId rank) const { return program_of_rank_[rank.index()]; }
  [[nodiscard]] const Program& program_of_rank(RankId rank) const { return program(program_of(rank)); }
  [[nodiscard]] std::int64_t task_count() const;  ///< over all ranks

  /// Every problem found (cycle, unmatched message or collective), empty when the graph can run to its end.
  [[nodiscard]] std::vector<std::string> check() const;

 private:
  Placement placement_;
  std::vector<Program> programs_;
  std::vector<ProgramId> program_of_rank_;
};

/// "gemm 512x2048x512 fp32, layer 3, forward, micro-batch 2": for reports, traces and error messages.
[[nodiscard]] std::string to_text(const Task& task);
/// "gemm", "attention", "memory", "optimizer", "fixed", "all_reduce" ..., "send", "receive", "read", "write"
[[nodiscard]] std::string_view kind_word(const Task& task);

}  // namespace trainwright::model
