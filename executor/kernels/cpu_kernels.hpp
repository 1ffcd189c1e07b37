// Runs the compute tasks of a program with real arithmetic on one CPU thread: matrix products by OpenBLAS, attention,
// element-wise work, optimizer, timed waits. It does exactly the floating-point operations and the memory traffic that
// a task states, on operands that lie in memory as those of a training step would (docs/measuring.md, "Operands"); the
// values mean nothing. Computes in fp32 only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

class CpuKernels {
 public:
  /// Allocates and touches all memory the program's tasks need, by the calling thread, which should be the one that
  /// will call run(). Makes OpenBLAS single-threaded for the whole process. Throws InputError when compute tasks ask
  /// for another precision than fp32 (each such precision is named), EnvironmentError when there is no memory.
  explicit CpuKernels(const model::Program& program);
  ~CpuKernels();
  CpuKernels(const CpuKernels&) = delete;
  CpuKernels& operator=(const CpuKernels&) = delete;

  /// Does the work of a task and returns when it is done. Nothing is allocated. The task must be one of the program's
  /// (or need no more memory than they do) and must compute: collectives, transfers and host I/O are a broken
  /// precondition. One caller at a time.
  void run(const model::Task& task);

  /// What the constructor would allocate for a program. Cheap: the sum over the ranks of a machine is to be compared
  /// with available_memory_bytes() before they start, since each constructor sees only what the others have taken so
  /// far.
  [[nodiscard]] static model::ByteCount memory_needed(const model::Program& program);

  /// True for the kinds of work that run() does.
  [[nodiscard]] static bool can_run(const model::Task& task);

  /// Whether all values in memory are finite; for tests and for a check after a run, as it reads everything.
  [[nodiscard]] bool all_finite() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trainwright::executor
