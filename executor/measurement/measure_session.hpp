// The whole measurement: one group of ranks after the other, each with its share of the time, their points in one
// value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "executor/measurement/rank_group.hpp"
#include "model/calibration/measurement.hpp"

namespace trainwright::executor {

struct SessionOptions {
  int ranks = 1;
  std::vector<int> cores;  ///< processor of each rank; empty: not pinned, ranks share cores
  std::filesystem::path run_dir;
  model::Seconds budget = model::Seconds(30);
  bool quick = false;
  std::uint64_t seed = 1;  ///< of the order of the points
};

struct SessionEvents {
  std::function<void(double done, const std::string& what)> progress;  ///< done: 0 .. 1 of the whole
  std::function<bool()> interrupted;
  int interrupt_fd = -1;
};

struct SessionResult {
  model::Measurement measurement;  ///< partial if not all was measured; of the environment, only the versions of
                                   ///< libraries of the ranks
  bool interrupted = false;
  std::vector<std::string> failures;  ///< one for each group that failed; the others were measured all the same
};

/// Forks: see run_rank_group.
[[nodiscard]] SessionResult measure_machine(const SessionOptions& options, const SessionEvents& events);

/// What the ranks of the hungriest group will allocate, each.
[[nodiscard]] model::ByteCount session_memory_per_rank(bool quick);

/// Sorts points by what they are, so that the order of measuring does not show in the file.
void sort_points(model::Measurement& measurement);

[[nodiscard]] std::size_t point_count(const model::Measurement& measurement);

}  // namespace trainwright::executor
