// A group of processes of this machine that measure together: forked, pinned, watched, and gone when the call returns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/measurement/clock.hpp"
#include "executor/measurement/measure.hpp"
#include "executor/measurement/record.hpp"
#include "executor/measurement/shared_area.hpp"

namespace trainwright::executor {

/// One rank's view of its group. All members call the functions marked "together" in the same order.
class RankContext {
 public:
  RankContext(int rank, int ranks, SharedArea& area, int report_fd) noexcept
      : rank_(rank), ranks_(ranks), area_(area), report_fd_(report_fd) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }

  void wait_for_all() { area_.barrier.wait(); }                      ///< together
  [[nodiscard]] double from_first(double value);                     ///< together: rank 0's value
  [[nodiscard]] std::string text_from_first(std::string_view text);  ///< together: rank 0's, at most 255 bytes
  [[nodiscard]] double largest(double value);                        ///< together

  enum class Combine { mean, slowest };
  /// Together: one sample from those of the active ranks. A fault of one is a fault of the sample. `elapsed` is rank
  /// 0's.
  [[nodiscard]] Attempt agree(const Sample& own, bool active, model::Seconds elapsed, Combine how);

  /// Any rank; remarks and points normally come from rank 0. Throws EnvironmentError when the parent is gone.
  void report(const Record& record) const;

 private:
  int rank_;
  int ranks_;
  SharedArea& area_;
  int report_fd_;
  SteadyClock clock_;
};

struct RankGroupOptions {
  int ranks = 1;
  std::vector<int> cores;                        ///< processor of each rank; empty: not pinned
  std::function<void(RankContext&)> body;        ///< in each process; exceptions are failures
  std::function<void(const Record&)> on_record;  ///< in the parent
  int interrupt_fd = -1;                         ///< readable when the user wants to stop
  std::function<bool()> interrupted = [] { return false; };
  model::Seconds patience = model::Seconds(600);  ///< after this the group is ended as failed
};

struct RankGroupResult {
  bool interrupted = false;
  std::string failure;  ///< "" when all ranks ended well
};

/// Forks; call it from a process without threads that hold locks. No process of the group is left when it returns.
/// Throws EnvironmentError when no process or pipe can be made.
[[nodiscard]] RankGroupResult run_rank_group(const RankGroupOptions& options);

}  // namespace trainwright::executor
